//===- LaterStep.cpp - opcodes that are known and not run -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Families.h"

namespace nvemu {

bool isOfLaterStep(const ptx::Instruction &instruction, std::string &why) {
  static constexpr struct {
    std::string_view opcode, why;
  } known[] = {
      {"wgmma", "warpgroup matrix operations of sm_90a are not modelled yet; compile the kernel for sm_80"},
      {"setmaxnreg", "register counts of sm_90a's warpgroups are not modelled yet; compile the kernel for sm_80"},
      {"tensormap", "tensor maps (TMA) of sm_90 are not modelled yet; compile the kernel for sm_80"},
      {"mapa", "clusters of blocks are not modelled; compile the kernel for sm_80"},
      {"getctarank", "clusters of blocks are not modelled; compile the kernel for sm_80"},
      {"clusterlaunchcontrol", "clusters of blocks are not modelled; compile the kernel for sm_80"},
      {"multimem", "memory of several devices is not modelled"},
      {"tcgen05", "tensor memory of sm_100 is not modelled; compile the kernel for sm_80"},
      {"wmma", "its fragments have no documented layout; write mma.sync and ldmatrix instead"},
      {"tex", "textures are not modelled; read the memory with ld.global"},
      {"tld4", "textures are not modelled; read the memory with ld.global"},
      {"suld", "surfaces are not modelled; read the memory with ld.global"},
      {"sust", "surfaces are not modelled; write the memory with st.global"},
      {"sured", "surfaces are not modelled; use red.global"},
  };
  for (const auto &[opcode, reason] : known)
    if (instruction.opcode == opcode) {
      why = reason;
      return true;
    }
  return false;
}

} // namespace nvemu
