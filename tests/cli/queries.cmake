# A bias linear in the query: reports for every query and for some, certificates, and who refuses the key.
include("${CMAKE_CURRENT_LIST_DIR}/quantifiers.cmake")

file(WRITE "${WORK}/queries.toml" "schema = 1\nname = \"queries\"\n[parameters]\nR = { default = \"1/2\", domain = \"R > 0\" }\n[score]\nbias = \"-n\"\n[score.query]\nradius = \"R\"\nshape = \"n\"\n")
set(check check-properties queries.toml --content-bound 1)
expect(COMMAND ${check} OUT "+ r*p(n), p(n) = n, |r| <= R" "numbers are those of r = 0" "uniform, every query" "when R < 1")
quantifiers(queries query query "r*n, |r| <= R" "r = -1/2" shape "shape = \"n\"" "shape = \"2*n\"" radius)

expect(COMMAND ${check} --table slopes EXIT 2 ERR "--table: the scores of queries depend on the query, [score.query]")
expect(COMMAND compare-encodings queries.toml alibi EXIT 2 ERR "[score.query] is not for this program")
expect(COMMAND design-encoding queries.toml --converges --vary R=1/4..1 EXIT 2 ERR "[score.query] is not for this program")

# A radius, gates and a soft cap that have no value for some parameters: nothing is said there.
set(open "schema = 1\nname = \"open\"\n[parameters]\nm = { default = \"3\", domain = \"m >= 0\" }\n[score]\nbias = \"-n\"\n")
file(WRITE "${WORK}/radius.toml" "${open}[score.query]\nradius = \"1 + 1/(m - 1)^2\"\nshape = \"n\"\n")
expect(COMMAND check-properties radius.toml --quiet OUT "every-content, some query      holds  when m != 1; undecided: m = 1" NOT "always")
file(WRITE "${WORK}/ends.toml" "${open}[score.path]\nlow = \"-1/(m - 1)\"\nhigh = \"5\"\n")
expect(COMMAND check-properties ends.toml --quiet OUT "every-content, some gate       holds  when m > 1; undecided: m = 1")
file(WRITE "${WORK}/cap.toml" "${open}softcap = \"1 + 1/(m - 1)^2\"\n")
expect(COMMAND check-properties cap.toml --quiet OUT "every-content                  holds  when m != 1; undecided: m = 1")
# Its divisor is negative at n = 0 and positive far out: of a = -3 the bias has no value at n = 3.
file(WRITE "${WORK}/divisor.toml" "schema = 1\nname = \"open\"\n[parameters]\na = { default = \"1\" }\n[score]\nbias = \"-n - 1/(a + n)\"\n")
expect(COMMAND check-properties divisor.toml --quiet OUT "every-content                  holds  when a > 0; undecided: a <= 0")
file(WRITE "${WORK}/length.toml" "schema = 1\nname = \"open\"\n[parameters]\na = { default = \"1\" }\n[score]\nbias = \"-n - 1/(a + n) - n/(1 + L)\"\n")
expect(COMMAND check-properties length.toml --quiet OUT "every-content                  holds      when a > 0; undecided: a <= 0")
