# The JSON report: valid, with the fields of the schema, and the same bytes whatever the locale or the threads.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(command check-properties alibi --set m=1/2 --lengths 64,1e20 --format json)
expect(COMMAND ${command})
set(json "${out}")
value(version "${json}" generator version)
equal("version" "${version}" "${VERSION}")
foreach(check "schema=1" "generator program=check-properties" "encodings 0 name=alibi" "encodings 0 parameters m=1/2"
              "encodings 0 content_bounds 0=1" "encodings 0 head_dim=64" "encodings 0 gps_rate=1"
              "encodings 0 local_range threshold=1" "encodings 0 local_range within=2"
              "encodings 0 sums content=zero" "encodings 0 sums Z finite=ON"
              "encodings 0 partial_sums 0 L=64" "encodings 0 partial_sums 1 L=100000000000000000000"
              "encodings 0 verdicts 0 property=convergent-normalization" "encodings 0 verdicts 0 reading=every-content"
              "encodings 0 verdicts 0 content_bound=1" "encodings 0 verdicts 0 verdict=holds"
              "encodings 0 verdicts 0 region=m > 0")
  string(REGEX MATCH "^([^=]*)=(.*)$" unused "${check}")
  set(expected "${CMAKE_MATCH_2}")
  separate_arguments(path UNIX_COMMAND "${CMAKE_MATCH_1}")
  value(found "${json}" ${path})
  equal("${check}" "${found}" "${expected}")
endforeach()
foreach(check "encodings 0 head=NULL" "encodings 0 local_range literal=NULL" "encodings 0 verdicts 0 certificate=NULL"
              "encodings 0 growth Z=NULL" "encodings 0 sums Z lower=STRING" "encodings 0 partial_sums 0 L=NUMBER"
              "encodings 0 partial_sums 1 L=STRING" "encodings 0 effective_windows=ARRAY" "encodings 0 reach=ARRAY"
              "encodings 0 content_sums=ARRAY" "encodings 0 entropy_band=ARRAY"
              "encodings 0 partial_sums 0 entropy_band=ARRAY")
  string(REGEX MATCH "^([^=]*)=(.*)$" unused "${check}")
  set(expected "${CMAKE_MATCH_2}")
  separate_arguments(path UNIX_COMMAND "${CMAKE_MATCH_1}")
  string(JSON type ERROR_VARIABLE trouble TYPE "${json}" ${path})
  equal("${check}" "${type}" "${expected}")
endforeach()
string(JSON count LENGTH "${json}" encodings 0 verdicts)
equal("readings" "${count}" "14")
value(digest "${json}" encodings 0 spec_sha256)
file(SHA256 "${SOURCE}/theory/encodings/alibi.toml" expected)
equal("spec_sha256" "${digest}" "${expected}")
# 30 digits: 1/(1 - e^(-1/2)) = 2.541494082536798284131103444471…
value(lower "${json}" encodings 0 sums Z lower)
value(upper "${json}" encodings 0 sums Z upper)
equal("lower end" "${lower}" "2.54149408253679828413110344447")
equal("upper end" "${upper}" "2.54149408253679828413110344448")

# An infinite sum has no ends; a head has its number.
expect(COMMAND check-properties rope --format json)
string(JSON keys LENGTH "${out}" encodings 0 sums Z)
equal("an infinite Z" "${keys}" "1")
value(finite "${out}" encodings 0 sums H finite)
equal("H when Z is infinite" "${finite}" "OFF")
expect(COMMAND check-properties alibi --heads 8 --head 3 --format json)
value(head "${out}" encodings 0 head)
equal("head" "${head}" "3")
value(slope "${out}" encodings 0 parameters m)
equal("slope of head 3 of 8" "${slope}" "1/8")

# Every encoding of the library gives valid JSON.
expect(COMMAND check-properties --all --format json --time-limit 2)
set(all "${out}")
string(JSON count LENGTH "${all}" encodings)
file(GLOB files "${SOURCE}/theory/encodings/*.toml")
list(LENGTH files expected)
equal("encodings" "${count}" "${expected}")

# The same bytes again, with other threads, another zone, and where numbers are written with commas and i has no dot.
expect(COMMAND ${command})
equal("again" "${out}" "${json}")
expect(COMMAND ${command} ENV OMP_NUM_THREADS=7 OMP_DYNAMIC=true FLINT_NUM_THREADS=5 TZ=Asia/Kathmandu COLUMNS=20 HOME=/)
equal("other threads" "${out}" "${json}")
find_program(LOCALEDEF localedef)
foreach(locale de_DE tr_TR)
  set(made "no localedef")
  if(LOCALEDEF)
    execute_process(COMMAND "${LOCALEDEF}" -i ${locale} -f UTF-8 "${WORK}/${locale}.UTF-8" RESULT_VARIABLE made
                    OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT made STREQUAL "0")
    message("the locale ${locale} cannot be made here: not tried")
    continue()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "LOCPATH=${WORK}" LC_ALL=${locale}.UTF-8 locale decimal_point
                  OUTPUT_VARIABLE point OUTPUT_STRIP_TRAILING_WHITESPACE)
  equal("the decimal point of ${locale}" "${point}" ",")
  expect(COMMAND ${command} ENV "LOCPATH=${WORK}" LC_ALL=${locale}.UTF-8)
  equal("locale ${locale}" "${out}" "${json}")
  expect(COMMAND check-properties alibi --digits 12 --threshold 0.5 ENV "LOCPATH=${WORK}" LC_ALL=${locale}.UTF-8
         OUT "256.500325521" "|b| <= 1/2")
endforeach()
