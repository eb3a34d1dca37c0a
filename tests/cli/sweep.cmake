# check-properties --sweep: the rows, the same bytes by any number of processes, and nothing lost by those that end early.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

file(WRITE "${WORK}/grid.toml" [[
schema = 1
encodings = ["alibi", "sliding-window", "two.toml"]

[parameters]
m = { range = "1/64..1/2", points = 3 }
W = { range = "2..8", points = 2 }
"two.a" = ["0.5", 2]
c = [0, "1/3"]
]])
file(WRITE "${WORK}/two.toml" "schema = 1\nname = \"two\"\n[parameters]\na = { default = \"1\" }\nc = { default = \"1\" }\n[score]\nbias = \"-a*n - c*log(1 + n)\"\n")
expect(COMMAND check-properties --sweep grid.toml --output one.csv --digits 5)
equal("nothing on standard output" "${out}" "")
file(READ "${WORK}/one.csv" one)
# ALiBi in closed form: Z = 1/(1 - r), n = r/(1 - r), |m n| <= 1; e^2 r^(W+1) <= (1 - r^(W+1))/999 from W = 17 on.
string(FIND "${one}" "encoding,m,W,a,c,cn,eb,ldcp,gps,Z,H,mean_distance,local_range,effective_window,reach,self_reach\nalibi,0.015625,,,," at)
equal("the titles" "${at}" "0")
foreach(row "alibi,0.5,,,,holds,holds,fails,fails,2.5415,1.7035,1.5415,2,17,2,2\n" "sliding-window,,2,,,holds,holds,fails,holds,2.0000,0.69315,0.50000,"
        "two,,,0.5,0,holds,holds,fails,fails,2.5415,1.7035,1.5415,2,17,2,2\n" "two,,,2,1/3,")
  string(FIND "${one}" "\n${row}" at)
  if(at EQUAL -1)
    fail("one.csv" "no row ${row} in\n${one}")
  endif()
endforeach()
string(REGEX MATCHALL "\n" lines "${one}")
list(LENGTH lines count)
equal("lines" "${count}" "10")

function(no_parts name)
  file(GLOB left RELATIVE "${WORK}" "${WORK}/${name}.part-*")
  equal("parts of ${name}" "${left}" "")
endfunction()
function(same_as_one name)
  file(READ "${WORK}/${name}" text)
  equal("${name}" "${text}" "${one}")
  no_parts(${name})
endfunction()
no_parts(one.csv)

# Several processes, as launchers tell them apart: whoever ends last puts all rows together.
expect(COMMAND check-properties --sweep grid.toml --output two.csv --digits 5 ENV OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2)
if(EXISTS "${WORK}/two.csv")
  fail("two.csv" "is there before all rows are")
endif()
expect(COMMAND check-properties --sweep grid.toml --output two.csv --digits 5 ENV OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2)
same_as_one(two.csv)
foreach(rank 2 0 1)
  expect(COMMAND check-properties --sweep grid.toml --output pmi.csv --digits 5 ENV PMI_RANK=${rank} PMI_SIZE=3)
  expect(COMMAND check-properties --sweep grid.toml --output slurm.csv --digits 5 ENV SLURM_PROCID=${rank} SLURM_STEP_NUM_TASKS=3)
endforeach()
same_as_one(pmi.csv)
same_as_one(slurm.csv)
expect(COMMAND check-properties --sweep grid.toml --output batch.csv --digits 5 ENV SLURM_PROCID=0 SLURM_NTASKS=8)
same_as_one(batch.csv)
find_program(MPIRUN mpirun)
if(MPIRUN)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "${MPIRUN}" --oversubscribe -n 3
                          "${BIN}/check-properties" --sweep grid.toml --output mpi.csv --digits 5
                  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE exit ERROR_VARIABLE error TIMEOUT 120)
  if(NOT exit EQUAL 0)
    fail("mpirun" "exit ${exit}\n${error}")
  endif()
  same_as_one(mpi.csv)
else()
  message("SKIPPED: mpirun is absent")
endif()

# A process that was killed: what it wrote is used again (here: seen by a mark), a line that it did not end is not.
expect(COMMAND check-properties --sweep grid.toml --output killed.csv --digits 5 ENV OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2)
file(GLOB part "${WORK}/killed.csv.part-*")
file(READ "${part}" text)
string(REPLACE "2,alibi,0.5," "2,alibi,mark," text "${text}")
string(LENGTH "${text}" length)
math(EXPR length "${length} - 8")
string(SUBSTRING "${text}" 0 ${length} text)
file(WRITE "${part}" "${text}")
expect(COMMAND check-properties --sweep grid.toml --output killed.csv --digits 5)
string(REPLACE "alibi,0.5," "alibi,mark," marked "${one}")
file(READ "${WORK}/killed.csv" text)
equal("killed.csv" "${text}" "${marked}")
no_parts(killed.csv)
# Rows of another question stay where they are.
expect(COMMAND check-properties --sweep grid.toml --output other.csv --digits 5 ENV OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2)
expect(COMMAND check-properties --sweep grid.toml --output other.csv --digits 5 --content-bound 2)
file(GLOB left "${WORK}/other.csv.part-*")
list(LENGTH left count)
equal("parts of another question" "${count}" "1")
expect(COMMAND check-properties --sweep grid.toml --output other.csv --digits 5 ENV PMI_RANK=1 PMI_SIZE=2)
same_as_one(other.csv)
# Killed in the middle, for good, and begun again.
file(WRITE "${WORK}/many.toml" "schema = 1\nencodings = [\"alibi\"]\n[parameters]\nm = { range = \"1/1000..1\", points = 200 }\n")
find_program(SHELL sh REQUIRED)
execute_process(COMMAND "${SHELL}" -c "'${BIN}/check-properties' --sweep many.toml --output many.csv & process=$!; sleep 0.4; kill -9 $process; wait $process"
                WORKING_DIRECTORY "${WORK}" OUTPUT_QUIET ERROR_QUIET)
expect(COMMAND check-properties --sweep many.toml --output many.csv)
expect(COMMAND check-properties --sweep many.toml --output again.csv)
file(READ "${WORK}/many.csv" many)
file(READ "${WORK}/again.csv" again)
equal("killed and begun again" "${many}" "${again}")
no_parts(many.csv)

set(program check-properties)
refused("expected --output FILE.csv" --sweep grid.toml)
refused("the grid says which encodings" --sweep grid.toml --output x.csv alibi)
refused("no such file" --sweep nowhere.toml --output x.csv)
file(WRITE "${WORK}/bad.toml" "schema = 1\nencodings = [\"alibi\"]\n[parameters]\nslope = [1]\n")
refused("no encoding has the parameter slope" --sweep bad.toml --output x.csv)
file(WRITE "${WORK}/bad.toml" "schema = 1\nencodings = [\"alibi\"]\n[parameters]\nm = [0.5]\n")
refused("bad.toml:4: expected an integer, or a number in quotes" --sweep bad.toml --output x.csv)
file(WRITE "${WORK}/bad.toml" "schema = 1\nencodings = [\"alibi\"]\n[parameters]\nm = { range = \"0..1\", point = 3 }\n")
refused("did you mean 'points'" --sweep bad.toml --output x.csv)
file(WRITE "${WORK}/bad.toml" "schema = 1\nencodings = [\"alibi\"]\n[parameters]\nm = [-1]\n")
refused("is outside its domain" --sweep bad.toml --output x.csv)
expect(COMMAND check-properties --sweep grid.toml --output x.csv EXIT 2 ERR "OMPI_COMM_WORLD_RANK=2" ENV OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=2)
