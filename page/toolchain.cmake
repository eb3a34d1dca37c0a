# WebAssembly by Debian's emscripten. clang compiles, with the flags that em++ gives it: em++ itself takes a second longer for every file, and links.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
find_program(EMXX em++)
if(NOT EMXX)
  message(FATAL_ERROR "em++ is absent; ./setup.sh --page installs it")
endif()
set(CMAKE_CXX_COMPILER clang++-14)
set(CMAKE_AR llvm-ar-14 CACHE STRING "")
set(CMAKE_RANLIB llvm-ranlib-14 CACHE STRING "")
execute_process(COMMAND "${EMXX}" --cflags -fwasm-exceptions -sSUPPORT_LONGJMP=0 OUTPUT_VARIABLE emscripten_flags OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(CMAKE_CXX_FLAGS_INIT "${emscripten_flags}")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
# A node that is not Debian's neither finds Debian's modules nor keeps files and addresses apart.
set(CMAKE_CXX_LINK_EXECUTABLE "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs NODE_OPTIONS=--no-experimental-fetch ${EMXX} <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
