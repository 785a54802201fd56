# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(coreside): coreside_add_check and the program.
include("${CMAKE_CURRENT_LIST_DIR}/Coreside.cmake")
