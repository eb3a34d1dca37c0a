# One folder is one target: gpe_folder(theory SOURCES ... LINK ...) makes gpe::theory; includes are rooted
# at the top of the repository ("theory/asymptotics/limit.h").
function(gpe_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
                                           -Wold-style-cast -Wcast-qual -Woverloaded-virtual -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)  # false alarms in std::string (GCC bug 105651)
  endif()
endfunction()

# The level of a target in a release, where it is not that of its folder.
function(gpe_optimize target level)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
endfunction()

# For a target whose work is done in libraries (level 1), or that reads and writes text (level g, which GCC
# compiles in three quarters of that time). GCC takes values of std::optional for uninitialized there.
function(gpe_compile_fast target level)
  gpe_optimize(${target} ${level})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endfunction()

# gpe_precompile(FIRST HEADERS ... FOR TARGET...): what most files of these targets include is compiled once, with FIRST. Not where a
# compiler cache is, which keeps no object that was made with it; the page has headers of its own.
function(gpe_precompile first)
  cmake_parse_arguments(arg "" "" "HEADERS;FOR" ${ARGN})
  if(CMAKE_CXX_COMPILER_LAUNCHER OR GPE_PAGE)
    return()
  endif()
  list(TRANSFORM arg_HEADERS REPLACE "^(theory|checks)/" "${PROJECT_SOURCE_DIR}/\\1/")
  target_precompile_headers(${first} PRIVATE ${arg_HEADERS})
  foreach(target IN LISTS arg_FOR)
    target_precompile_headers(${target} REUSE_FROM ${first})
  endforeach()
endfunction()

# For a program, or a test, on the engine or the verifier.
function(gpe_allocate_fast target)
  if(JEMALLOC_LIBRARY AND NOT CMAKE_CXX_FLAGS MATCHES "sanitize")
    target_link_libraries(${target} PRIVATE "${JEMALLOC_LIBRARY}" ${CMAKE_DL_LIBS})
  endif()
endfunction()

function(gpe_folder name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(gpe_${name} STATIC ${arg_SOURCES})
  add_library(gpe::${name} ALIAS gpe_${name})
  set_target_properties(gpe_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(gpe_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                                                "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gpe>")
  target_link_libraries(gpe_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  target_compile_features(gpe_${name} PUBLIC cxx_std_20)
  gpe_warnings(gpe_${name})
endfunction()

# The folders of a folder, in an order in which each uses earlier ones only; gpe::NAME stands for all of them.
function(gpe_folders name)
  add_library(gpe_${name} INTERFACE)
  add_library(gpe::${name} ALIAS gpe_${name})
  set_target_properties(gpe_${name} PROPERTIES EXPORT_NAME ${name})
  set(targets gpe_${name})
  foreach(folder IN LISTS ARGN)
    add_subdirectory(${folder})
    target_link_libraries(gpe_${name} INTERFACE gpe::${name}_${folder})
    list(APPEND targets gpe_${name}_${folder})
  endforeach()
  set_property(GLOBAL PROPERTY gpe_${name}_targets ${targets})
endfunction()

function(gpe_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  if(GPE_PACKAGE AND "gpe::ask_verifier" IN_LIST arg_LINK)  # before the static libraries, which then add nothing
    target_link_libraries(${name} PRIVATE gpe_engine)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "\$ORIGIN/../lib/gpe")
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if("gpe::ask_verifier" IN_LIST arg_LINK)
    gpe_allocate_fast(${name})
  endif()
  gpe_warnings(${name})
  gpe_compile_fast(${name} g)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# gpe_programs(NAME IN namespace PROGRAMS a-b ... SOURCES ... LINK ...): programs that are compiled together as
# gpe::NAME, in a third of the time. Program a-b is namespace::a_b_program::run of a_b_main.cpp.
function(gpe_programs name)
  cmake_parse_arguments(arg "" "IN" "PROGRAMS;SOURCES;LINK" ${ARGN})
  string(REPLACE "-" "_" words "${arg_PROGRAMS}")
  list(TRANSFORM words APPEND "_main.cpp" OUTPUT_VARIABLE mains)
  gpe_folder(${name} SOURCES ${mains} ${arg_SOURCES} PUBLIC ${arg_LINK} PRIVATE nlohmann_json::nlohmann_json)
  gpe_compile_fast(gpe_${name} g)
  foreach(program word IN ZIP_LISTS arg_PROGRAMS words)
    gpe_program(${program} SOURCES "${PROJECT_SOURCE_DIR}/checks/cli/main.cpp" LINK gpe::${name} ${arg_LINK})
    target_compile_definitions(${program} PRIVATE GPE_PROGRAM=${arg_IN}::${word}_program)
  endforeach()
endfunction()
