# Claims for every, and for some, gate or query of NAME.toml, whose text has the table [score.TABLE] last: every format
# says both, and certificates are of this law alone.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

# quantifiers(NAME one KEY text why CHANGE from to keyword): `one` is "gate" or "query", `text` what the report has at KEY,
# `why` what decided the weight far away; `from` in the file becomes `to`, which a certificate does not allow
function(quantifiers name one key text why change from to keyword)
  set(check check-properties ${name}.toml --content-bound 1)
  expect(COMMAND ${check} --format markdown OUT "every-content, some ${one}")
  expect(COMMAND ${check} --format csv OUT "\"every-content, every ${one}\"")
  expect(COMMAND ${check} --explain cn --quiet OUT "every-content, every ${one} (B = 1): holds" "every-content, some ${one} (B = 1): holds")
  expect(COMMAND ${check} --require cn,eb=uniform,ldcp=literal --quiet OUT "verdict")
  expect(COMMAND ${check} --require ldcp --quiet EXIT 3 OUT "verdict" ERR "ldcp (weight) fails: decided by ${why}")
  expect(COMMAND ${check} --format json)
  set(json "${out}")
  value(said "${json}" encodings 0 ${key})
  equal("${key}" "${said}" "${text}")
  string(JSON count LENGTH "${json}" encodings 0 verdicts)
  equal("verdicts" "${count}" "24")
  value(first "${json}" encodings 0 verdicts 0 ${key})
  value(second "${json}" encodings 0 verdicts 1 ${key})
  equal("quantifiers" "${first} ${second}" "every some")

  expect(COMMAND ${check} --certificates certificates --quiet OUT "verdict" ERR "certificates for the values of the parameters only: ${name}.eb.uniform.every-${one}")
  file(GLOB certificates "${WORK}/certificates/*.json")
  expect(COMMAND verify-certificate --spec ${name}.toml ${certificates} OUT "${key}: \"every\" of" "${key}: \"some\" of")
  file(READ "${WORK}/${name}.toml" file)
  string(REPLACE "${from}" "${to}" file "${file}")
  file(WRITE "${WORK}/others.toml" "${file}")
  expect(COMMAND verify-certificate --spec others.toml ${certificates} EXIT 4 OUT "${change} is")
  string(REGEX REPLACE "\\[score\\.[a-z]+\\].*" "" file "${file}")
  file(WRITE "${WORK}/without.toml" "${file}")
  expect(COMMAND verify-certificate --spec without.toml ${certificates} EXIT 4 OUT "${keyword} is")
endfunction()
