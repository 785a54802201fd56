# With CORESIDE_STATIC_LLVM: archives in place of shared libraries, so that the
# program runs where no LLVM, fmt or SQLite is installed.
#
# In:   LLVM's and clang's archives as Debian has them, their CMake targets
# Out:  what coreside-llvm, coreside-clang and coreside-fmt link
#
# Objects are compiled with the same flags as for the shared libraries: ccache
# has them from the daily build.

# LLVM's build linked its tools with the one shared libLLVM; clang's archives
# therefore name it as what they need.
llvm_map_components_to_libnames(llvm_archives
  AggressiveInstCombine Analysis AsmParser BinaryFormat BitReader BitWriter
  CodeGen CodeGenTypes Core Coroutines Coverage DebugInfoDWARF Demangle
  Extensions FrontendDriver FrontendHLSL FrontendOffloading FrontendOpenMP
  HipStdPar IPO IRPrinter IRReader InstCombine Instrumentation LTO Linker MC
  MCParser NVPTX ObjCARCOpts Object ObjectYAML Option Passes ProfileData
  ScalarOpts Support Symbolize Target TargetParser TransformUtils
  WindowsDriver)
list(REMOVE_ITEM llvm_archives LLVM)
set_target_properties(LLVMExtensions PROPERTIES INTERFACE_LINK_LIBRARIES "LLVMSupport")
foreach(library ${CLANG_EXPORTED_TARGETS})
  if(NOT TARGET ${library})
    continue()
  endif()
  get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
  if(needed AND "LLVM" IN_LIST needed)
    list(REMOVE_ITEM needed LLVM)
    set_target_properties(${library} PROPERTIES
      INTERFACE_LINK_LIBRARIES "${needed};${llvm_archives}")
  endif()
endforeach()

# Objects, not an archive: what they define comes before the C library's.
add_library(coreside-stand-ins OBJECT
  ${CMAKE_SOURCE_DIR}/tools/package/NoPolly.cpp
  ${CMAKE_SOURCE_DIR}/tools/package/OlderC.cpp)
target_include_directories(coreside-stand-ins SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
link_libraries($<TARGET_OBJECTS:coreside-stand-ins>)

# LLVM's archives name these by the paths of shared libraries.
find_library(ZSTD_ARCHIVE libzstd.a REQUIRED)
find_library(ZLIB_ARCHIVE libz.a REQUIRED)
find_library(SQLITE_ARCHIVE libsqlite3.a REQUIRED)
foreach(pair "zstd::libzstd_shared|${ZSTD_ARCHIVE}" "ZLIB::ZLIB|${ZLIB_ARCHIVE}"
    "SQLite::SQLite3|${SQLITE_ARCHIVE}")
  string(REPLACE "|" ";" pair "${pair}")
  list(GET pair 0 library)
  list(GET pair 1 archive)
  if(TARGET ${library})
    foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_NONE
        IMPORTED_LOCATION_NOCONFIG IMPORTED_LOCATION_RELWITHDEBINFO)
      set_target_properties(${library} PROPERTIES ${property} ${archive})
    endforeach()
    set_target_properties(${library} PROPERTIES IMPORTED_SONAME "")
  endif()
endforeach()

target_link_libraries(coreside-llvm INTERFACE ${llvm_archives})
target_link_libraries(coreside-clang INTERFACE
  clangTooling clangToolingInclusions clangToolingCore clangFormat clangIndex
  clangFrontend clangCodeGen clangSerialization clangDriver clangParse clangSema
  clangAnalysis clangASTMatchers clangAST clangEdit clangLex clangBasic)

# Debian has no archive of fmt; its headers hold all of it.
add_library(coreside-fmt-archive STATIC ${CMAKE_SOURCE_DIR}/tools/package/Fmt.cpp)
target_link_libraries(coreside-fmt-archive PRIVATE fmt::fmt-header-only)
foreach(property COMPILE_DEFINITIONS INCLUDE_DIRECTORIES)
  set_target_properties(coreside-fmt PROPERTIES INTERFACE_${property}
    "$<TARGET_PROPERTY:fmt::fmt,INTERFACE_${property}>")
endforeach()
target_link_libraries(coreside-fmt INTERFACE coreside-fmt-archive)

# Sections that nothing refers to are half of the file; symbols a tenth. libz3
# is named by LLVM and needed by nothing that is left.
add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed -s)
