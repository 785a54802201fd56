# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One name for a kernel, whoever mangled it.

nvcc puts a hash of the file into names with internal linkage, and clang an L:

    _Z1sPi, _ZL1sPi                                         -> s(int*)
    _ZN53_GLOBAL__N__0123abcd_4_a_cu_main_42anEPi           -> (anonymous namespace)::an(int*)
"""

import re
import subprocess

# Another program that turns mangled names on its input into readable ones:
# coreside-kernel-names, which is coreside's own rule.
program = "c++filt"


def _plain(name):
    match = re.match(r"__nv_static_(\d+)_", name)
    return name[match.end() + int(match[1]) + 1 :] if match else name


def normalized(names):
    """The readable names, in the same order."""
    names = [_plain(name) for name in names]
    if not names:
        return []
    text = subprocess.run([program], input="\n".join(names), capture_output=True, text=True).stdout
    return [re.sub(r"_INTERNAL_[0-9a-f]+_\w+::", "", line) for line in text.split("\n")[: len(names)]]
