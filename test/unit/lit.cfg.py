# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every executable below build/test/unit whose name ends in "Tests" is a
# GoogleTest; lit counts each of its tests.

import lit.formats

config.name = "coreside-unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.excludes = ["CMakeFiles"]
config.test_source_root = config.unit_build_root
config.test_exec_root = config.unit_build_root
