"""The linker of the package `ziglang`, for the symbols of an old C library.

`rustc -C linker=…` calls it like a C compiler; what Zig does not have is replaced.
"""

import os
import sys

# manylinux2014: every Linux since 2014
TARGET = "x86_64-linux-gnu.2.17"

# Zig brings the unwinder of LLVM instead of that of GCC
ARGUMENTS = ["-lunwind" if argument == "-lgcc_s" else argument for argument in sys.argv[1:]]

os.execv(sys.executable, [sys.executable, "-m", "ziglang", "cc", "-target", TARGET, *ARGUMENTS])
