# SPDX-License-Identifier: Apache-2.0
# What `cmake --install build` puts where, so that find_package(nax) works from
# there. Inside this tree the same names nax::... are aliases.
include(CMakePackageConfigHelpers)
set(nax_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nax)

install(TARGETS naxc naxrt naxtext naxemit nax_dsl nax_options EXPORT naxTargets)
add_executable(nax::naxc ALIAS naxc)
foreach(library naxrt naxtext naxemit)
  add_library(nax::${library} ALIAS ${library})
endforeach()

install(FILES ${PROJECT_BINARY_DIR}/include/nax/nax.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nax)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/nax DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT naxTargets NAMESPACE nax:: DESTINATION ${nax_package_dir})
install(FILES ${CMAKE_CURRENT_LIST_DIR}/nax_add_model.cmake DESTINATION ${nax_package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/NaxConfig.cmake.in
  ${PROJECT_BINARY_DIR}/naxConfig.cmake INSTALL_DESTINATION ${nax_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/naxConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/naxConfig.cmake ${PROJECT_BINARY_DIR}/naxConfigVersion.cmake
  DESTINATION ${nax_package_dir})
