# SPDX-License-Identifier: Apache-2.0
"""link_tools.py FOLDER TOOL...: a folder that holds links to these tools and no other."""

import os
import shutil
import sys

for tool in sys.argv[2:]:
    os.symlink(shutil.which(tool, path="/usr/bin:/bin"), os.path.join(sys.argv[1], tool))
