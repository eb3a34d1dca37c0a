# Installs the build, moves the prefix, builds consumer.cpp against it, and runs what was installed.
#   cmake -DBUILD=... -DSOURCE=... -DWORK=... -DVERSION=... -DCXX=... -DFLAGS=... -P installed_test.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
unset(ENV{GPE_ENCODINGS})
unset(ENV{DESTDIR})

function(step result)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE exit OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT exit EQUAL 0)
    string(JOIN " " command ${ARGN})
    message("${command}\nexit ${exit}\n${output}${error}")
    message(FATAL_ERROR "a step failed")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

step(unused "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${WORK}/moved prefix")
set(prefix "${WORK}/moved prefix")

# The library.
step(unused "${CMAKE_COMMAND}" -S "${SOURCE}/tests/installed" -B "${WORK}/consumer" -G Ninja
     "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=Release)
step(unused "${CMAKE_COMMAND}" --build "${WORK}/consumer")
step(output "${WORK}/consumer/consumer" "${prefix}/share/gpe/encodings/alibi.toml")
set(expected "sum exp(-log(1 + n) - 2*log(log(2 + n))) converges
alibi m = 1/2: Z = 2.5414940825367982841
gpe ${VERSION}
")
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the consumer prints\n${output}")
endif()
step(unused "${WORK}/consumer/kernel_test" "${prefix}/share/gpe/encodings/alibi.toml")

# The programs, with the encodings beside them and not those of the source.
file(WRITE "${prefix}/share/gpe/encodings/only-here.toml" "schema = 1\nname = \"only-here\"\ntitle = \"Test\"\n[score]\n")
step(output "${prefix}/bin/check-properties" --list)
foreach(name alibi ape rope only-here)
  if(NOT "\n${output}" MATCHES "\n${name} ")
    message(FATAL_ERROR "${name} is not listed:\n${output}")
  endif()
endforeach()
step(output "${prefix}/bin/check-properties" t5 fire --quiet)   # with their tables
step(output "${prefix}/bin/asymptotics" 1/n)
step(output "${prefix}/bin/make-stories" --words 50..60 --count 9 --output "${WORK}/stories.txt")
if(EXISTS "${SOURCE}/.venv/bin/python")  # as in tests/CMakeLists.txt
  step(output "${CMAKE_COMMAND}" -E env "GPE_PYTHON=${SOURCE}/.venv/bin/python" "${prefix}/bin/prepare-data"
       "train=${WORK}/stories.txt" --tokenizer bytes --output "${WORK}/tokens")
  if(NOT EXISTS "${WORK}/tokens/train.bin" OR IS_SYMLINK "${prefix}/share/gpe/prepare_data")
    message(FATAL_ERROR "prepare-data did not run where it was installed:\n${output}")
  endif()
endif()

foreach(file share/bash-completion/completions/check-properties share/zsh/site-functions/_gpe share/fish/vendor_completions.d/check-properties.fish share/doc/gpe/CITATION.cff share/doc/gpe/LICENSE)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

# Staged, as a package would be.
step(unused "${CMAKE_COMMAND}" -E env "DESTDIR=${WORK}/stage" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix /usr)
step(output "${WORK}/stage/usr/bin/check-properties" alibi --quiet)
if(NOT EXISTS "${WORK}/stage/usr/share/bash-completion/completions/check-properties")
  message(FATAL_ERROR "completion is not staged")
endif()

# Nothing that was installed names where it was built.
file(GLOB_RECURSE texts "${prefix}/*.cmake" "${prefix}/*.h" "${prefix}/*.toml" "${prefix}/*.py" "${prefix}/bin/prepare-data")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  foreach(place "${SOURCE}" "${BUILD}" "${WORK}")
    string(FIND "${text}" "${place}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} names ${place}")
    endif()
  endforeach()
endforeach()
