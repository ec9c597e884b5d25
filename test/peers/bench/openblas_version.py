# SPDX-License-Identifier: Apache-2.0
# needs: scipy-openblas32==0.3.34.481.3
"""Where the library of a current OpenBLAS is: the PyPI package that numpy and scipy are built with."""
import os

import scipy_openblas32

print(os.path.join(scipy_openblas32.get_lib_dir(), scipy_openblas32.get_library(fullname=True)))
