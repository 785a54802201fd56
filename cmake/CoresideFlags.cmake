# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Puts the commands of one source out of a compile database into a file, which is
# left alone where they are the same:
#
#   cmake -DDATABASE=compile_commands.json -DSOURCE=/src/a.cu -DOUT=a.flags -P this
#
# The database is CMake's own: "command" stands in the line before "file". Its
# JSON is not parsed, which CMake does anew for each value that is asked for.

file(READ "${DATABASE}" rest)
string(REPLACE "\\" "\\\\" name "${SOURCE}")
string(REPLACE "\"" "\\\"" name "${name}")
set(mark "\"file\": \"${name}\"")
set(commands "")
string(FIND "${rest}" "${mark}" at)
while(at GREATER_EQUAL 0)
  string(SUBSTRING "${rest}" 0 ${at} before)
  string(FIND "${before}" "\"command\": " begin REVERSE)
  string(SUBSTRING "${before}" ${begin} -1 command)
  string(APPEND commands "${command}")
  string(LENGTH "${mark}" length)
  math(EXPR next "${at} + ${length}")
  string(SUBSTRING "${rest}" ${next} -1 rest)
  string(FIND "${rest}" "${mark}" at)
endwhile()
set(old "")
if(EXISTS "${OUT}")
  file(READ "${OUT}" old)
endif()
if(NOT EXISTS "${OUT}" OR NOT old STREQUAL commands)
  file(WRITE "${OUT}" "${commands}")
endif()
