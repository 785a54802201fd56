# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# coreside as a part of a build.
#
#   find_package(coreside REQUIRED)
#   coreside_add_check(app filters ERROR GPU h100 rtx4090)
#
# Each CUDA source of the targets is checked by an action of its own, when it, a
# file that it includes, its flags or its settings have changed, side by side
# with the others. Findings are printed as a compiler prints warnings, once.
#
#   coreside_add_check(TARGET...
#     [ERROR]               warnings fail the build, too; else only errors do
#     [GPU NAME...]         target GPUs; else those of .coreside or the flags
#     [ARGUMENTS WORD...]   more for `coreside check`
#     [TOGETHER]            join the sources of a target, so that calls between
#                           them are followed; one action checks all of them
#     [EXCLUDE_FROM_ALL]    only when asked for: coreside-check-TARGET
#   )
#
# Checks of a target run once it is built: what its compiler has just written
# says what kernels take, and nvcc is not run again. `coreside-check` runs those
# of all targets.
#
# Without a change to any CMakeLists.txt, for all targets of a project:
#
#   cmake -DCMAKE_PROJECT_INCLUDE=.../Coreside.cmake -DCORESIDE_CHECK_ALL=ON ...
#
# with CORESIDE_CHECK_ERROR, CORESIDE_CHECK_GPU and CORESIDE_CHECK_ARGUMENTS.
# CORESIDE_EXECUTABLE is the program.

include_guard(GLOBAL)

option(CORESIDE_CHECK_ALL "Check the CUDA sources of all targets with coreside" OFF)
option(CORESIDE_CHECK_ERROR "Warnings of coreside fail the build" OFF)
set(CORESIDE_CHECK_GPU "" CACHE STRING "Target GPUs of CORESIDE_CHECK_ALL")
set(CORESIDE_CHECK_ARGUMENTS "" CACHE STRING "More for 'coreside check', of CORESIDE_CHECK_ALL")

find_program(CORESIDE_EXECUTABLE coreside HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin")
set(CORESIDE_MODULE_FOLDER "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "")

# The CUDA sources of `target` that are files, absolute.
function(_coreside_sources target result)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  set(found "")
  foreach(source IN LISTS sources)
    if(source MATCHES "^\\$<" OR NOT source)
      continue()
    endif()
    get_source_file_property(language "${source}" TARGET_DIRECTORY ${target} LANGUAGE)
    get_source_file_property(headerOnly "${source}" TARGET_DIRECTORY ${target} HEADER_FILE_ONLY)
    if(headerOnly OR NOT (language STREQUAL "CUDA" OR source MATCHES "\\.cu$"))
      continue()
    endif()
    get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${folder}")
    list(APPEND found "${source}")
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# The action that checks, or summarizes, one source. `stamp` is what it makes.
function(_coreside_add_action target source stamp commands depfile)
  # CMake writes the compile database anew whenever it runs; the command of this
  # source changes less often.
  set(flags "${stamp}.flags")
  file(RELATIVE_PATH name "${CMAKE_SOURCE_DIR}" "${source}")
  add_custom_command(OUTPUT "${flags}"
    COMMAND "${CMAKE_COMMAND}" "-DDATABASE=${CMAKE_BINARY_DIR}/compile_commands.json"
      "-DSOURCE=${source}" "-DOUT=${flags}" -P "${CORESIDE_MODULE_FOLDER}/CoresideFlags.cmake"
    DEPENDS "${CMAKE_BINARY_DIR}/compile_commands.json" "${CORESIDE_MODULE_FOLDER}/CoresideFlags.cmake"
    COMMENT "Reading the flags of ${name}" VERBATIM)
  add_custom_command(OUTPUT "${stamp}"
    COMMAND ${commands}
    DEPENDS "${source}" "${flags}" "${CORESIDE_EXECUTABLE}"
    DEPFILE "${depfile}"
    COMMENT "Checking ${name}" VERBATIM)
endfunction()

function(coreside_add_check)
  cmake_parse_arguments(PARSE_ARGV 0 check "ERROR;TOGETHER;EXCLUDE_FROM_ALL" "" "TARGET;GPU;ARGUMENTS")
  set(targets ${check_UNPARSED_ARGUMENTS} ${check_TARGET})
  if(NOT targets)
    message(FATAL_ERROR "coreside_add_check: names no target")
  endif()
  if(NOT CORESIDE_EXECUTABLE)
    message(FATAL_ERROR "coreside_add_check: there is no coreside; set CORESIDE_EXECUTABLE to it")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "coreside_add_check: ${CMAKE_GENERATOR} writes no compile database; Ninja and Makefiles do")
  endif()
  set(shared -p "${CMAKE_BINARY_DIR}")
  if(check_GPU)
    list(JOIN check_GPU "," gpus)
    list(APPEND shared "--gpu=${gpus}")
  endif()
  set(failOn error)
  if(check_ERROR)
    set(failOn warning)
  endif()

  foreach(target IN LISTS targets)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "coreside_add_check: '${target}' is no target")
    endif()
    if(TARGET coreside-check-${target})
      message(FATAL_ERROR "coreside_add_check: '${target}' is checked already")
    endif()
    set_property(TARGET ${target} PROPERTY EXPORT_COMPILE_COMMANDS ON)
    _coreside_sources(${target} sources)
    if(NOT sources)
      message(WARNING "coreside_add_check: '${target}' has no CUDA sources")
      continue()
    endif()
    set(folder "${CMAKE_BINARY_DIR}/coreside/${target}")
    file(MAKE_DIRECTORY "${folder}")
    set(made "")
    set(number 0)
    foreach(source IN LISTS sources)
      math(EXPR number "${number} + 1")
      get_filename_component(name "${source}" NAME_WE)
      # Two sources of one name may be in two folders.
      set(base "${folder}/${number}-${name}")
      if(check_TOGETHER)
        set(stamp "${base}.json")
        set(command "${CORESIDE_EXECUTABLE}" summarize "${source}" ${shared} -o "${stamp}" --depfile "${base}.d")
        foreach(word IN LISTS check_ARGUMENTS)
          # What is about findings is not for reading.
          if(word MATCHES "^--(cuda-path|ptxas-log)=|^--no-cache$")
            list(APPEND command "${word}")
          endif()
        endforeach()
      else()
        set(stamp "${base}.checked")
        set(command "${CORESIDE_EXECUTABLE}" check "${source}" ${shared} -j1 --fail-on=${failOn} ${check_ARGUMENTS}
          --stamp "${stamp}" --depfile "${base}.d")
      endif()
      _coreside_add_action(${target} "${source}" "${stamp}" "${command}" "${base}.d")
      list(APPEND made "${stamp}")
    endforeach()
    if(check_TOGETHER)
      set(stamp "${folder}/checked")
      add_custom_command(OUTPUT "${stamp}"
        COMMAND "${CORESIDE_EXECUTABLE}" check ${made} ${shared} --fail-on=${failOn} ${check_ARGUMENTS}
          --stamp "${stamp}" --depfile "${stamp}.d"
        DEPENDS ${made} "${CORESIDE_EXECUTABLE}"
        DEPFILE "${stamp}.d"
        COMMENT "Checking ${target}" VERBATIM)
      set(made "${stamp}")
    endif()
    set(all ALL)
    if(check_EXCLUDE_FROM_ALL)
      set(all "")
    endif()
    add_custom_target(coreside-check-${target} ${all} DEPENDS ${made})
    # What the target's own actions generate has to be there.
    add_dependencies(coreside-check-${target} ${target})
    if(NOT TARGET coreside-check)
      add_custom_target(coreside-check)
    endif()
    add_dependencies(coreside-check coreside-check-${target})
  endforeach()
endfunction()

# Checks all targets below `folder` that have CUDA sources and are not checked.
function(_coreside_check_below folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY|OBJECT_LIBRARY)$"
       OR TARGET coreside-check-${target})
      continue()
    endif()
    _coreside_sources(${target} sources)
    if(NOT sources)
      continue()
    endif()
    set(options "")
    if(CORESIDE_CHECK_ERROR)
      list(APPEND options ERROR)
    endif()
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(excluded)
      list(APPEND options EXCLUDE_FROM_ALL)
    endif()
    coreside_add_check(${target} ${options} GPU ${CORESIDE_CHECK_GPU} ARGUMENTS ${CORESIDE_CHECK_ARGUMENTS})
  endforeach()
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    _coreside_check_below("${below}")
  endforeach()
endfunction()

if(CORESIDE_CHECK_ALL)
  # Once all targets are known.
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _coreside_check_below "${CMAKE_SOURCE_DIR}")
endif()
