# --require: exit code 3 unless everything holds, and which does not.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

expect(COMMAND check-properties alibi --require cn,eb --quiet OUT "every-content")
expect(COMMAND check-properties rope --require ldcp,gps --quiet OUT "every-content")
expect(COMMAND check-properties ape --require cn=expected,eb=uniform,ldcp=literal,gps=norm --quiet OUT "every-content")
expect(COMMAND check-properties alibi --require convergent-normalization --quiet OUT "every-content")

# A reading alone, and beginnings that mean one thing.
expect(COMMAND check-properties alibi --require every,entropy,uni,vector --quiet EXIT 3 OUT "every-content" ERR "alibi: gps (vector) fails" NOT "(every-content)" "(limit)" "(uniform)")
expect(COMMAND check-properties alibi --require weight EXIT 3 OUT "alibi" ERR "ldcp (weight) fails: b tends to -inf")
expect(COMMAND check-properties alibi --require some-content EXIT 2 ERR "--require: 'some-content' means several; expected one of: cn=some-content, eb=some-content")

# Fails: the report is there, the reason on standard error, one line for each.
expect(COMMAND check-properties alibi --require cn,gps --quiet EXIT 3 OUT "every-content"
       ERR "check-properties: required: alibi: gps (vector) fails: " NOT "convergent-normalization (every-content)")
expect(COMMAND check-properties alibi rope --require cn --content-bound 1 --format json EXIT 3 OUT "\"schema\": 1"
       ERR "required: rope: convergent-normalization (every-content) at B = 1 fails: " NOT "required: alibi")
expect(COMMAND check-properties alibi --set m=0 --heads 2 --head 2 --require cn --content-bound 1 EXIT 3 OUT "alibi"
       ERR "required: alibi head 2: convergent-normalization")
# Depends on what is free; undecided in no time.
expect(COMMAND check-properties alibi --symbolic m --require cn --content-bound 1 EXIT 3 OUT "alibi"
       ERR "required: alibi: convergent-normalization (every-content) at B = 1 depends: holds when m > 0")
# The default readings are every-content, limit, weight, vector.
expect(COMMAND check-properties rope --require cn,eb,ldcp,gps --content-bound 1 EXIT 3 OUT "rope"
       ERR "(every-content)" "(limit)" NOT "required: rope: ldcp" "required: rope: gps")
expect(COMMAND check-properties alibi --require ldcp EXIT 3 OUT "alibi" ERR "ldcp (weight) fails: b tends to -inf")

# A wrong name is bad use, found before anything is computed.
expect(COMMAND check-properties alibi --require cm EXIT 2 ERR "--require: unknown property 'cm'; expected cn, eb, ldcp or gps")
expect(COMMAND check-properties alibi --require cn=limit EXIT 2
       ERR "--require: cn has no reading 'limit'; expected one of: every-content, some-content, expected")
