# SPDX-License-Identifier: Apache-2.0
# Compiles each NUMBER.cpp of this folder with the command given; every one must fail.
for model in [0-9]*.cpp; do
  "$@" "$model" -o x.o 2>&1 && echo "error: $model compiles"
done
exit 0
