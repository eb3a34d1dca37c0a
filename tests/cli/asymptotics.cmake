# The limit of an expression and its first terms.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

# Examples 8.1, 8.2, 8.4, 8.5 and 8.7 of Gruntz's thesis (ETH 11432, 1996), then first-year analysis.
foreach(check
    "exp(n)*(exp(1/n - exp(-n)) - exp(1/n))|-1"
    "exp(n)*(exp(1/n + exp(-n) + exp(-n^2)) - exp(1/n - exp(-exp(n))))|1"
    "exp(exp(exp(n)/(1 - 1/n))) - exp(exp(exp(n)/(1 - 1/n - log(n)^(-log(n)))))|-inf"
    "exp(exp(exp(n + exp(-n))))/exp(exp(exp(n)))|+inf"
    "exp(exp(exp(n)))/exp(exp(exp(n - exp(-exp(exp(n))))))|1"
    "(1 + 1/n)^n|exp(1)"
    "sqrt(n^2 + n) - n|1/2"
    "log(n)/n^(1/1000)|0"
    "n - sqrt(n^2 + 3*n*log(n))|-inf"
    "log(log(n + 2))|+inf"
    "(n^2 + 1)/(2*n^2 - 7)|1/2"
    "1/3|1/3")
  string(REGEX MATCH "^(.*)\\|(.*)$" unused "${check}")
  set(expression "${CMAKE_MATCH_1}")
  set(expected "${CMAKE_MATCH_2}")
  expect(COMMAND asymptotics "${expression}" --format json)
  set(json "${out}")
  value(kind "${json}" limit kind)
  if(expected MATCHES "inf$")
    equal("${expression}" "${kind}" "${expected}")
  else()
    value(limit "${json}" limit value)
    equal("${expression}" "${kind} ${limit}" "finite ${expected}")
  endif()
  value(schema "${json}" schema)
  equal("schema" "${schema}" "1")
endforeach()

# The enclosure of e, and terms in order of size.
expect(COMMAND asymptotics "(1 + 1/n)^n" --format json)
value(lower "${out}" limit enclosure lower)
equal("e from below" "${lower}" "2.71828182845904523536028747135")
expect(COMMAND asymptotics "n - sqrt(n^2 + 3*n*log(n))" --terms 2)
equal("two terms" "${out}" "n - sqrt(n^2 + 3*n*log(n))
  limit  -inf
  terms  -3/2*log(n)
         9/8*log(n)^2/n
  the first term exceeds the rest for every n >= 13
")
expect(COMMAND asymptotics "1/(n - 1)" --terms 5 --format json)
string(JSON count LENGTH "${out}" terms)
equal("five terms" "${count}" "5")

# A leading minus is not an option; other names need values.
expect(COMMAND asymptotics "-beta*log(n)" --set beta=2 OUT "limit  -inf")
expect(COMMAND asymptotics "-n" OUT "limit  -inf")

# No limit: bounds instead, and exit code 0, since that is an answer.
expect(COMMAND asymptotics "sin(n)" --format json)
value(kind "${out}" limit kind)
value(reason "${out}" limit reason)
equal("sin(n)" "${kind}" "undecided")
expect(COMMAND asymptotics "sin(n) + cos(2*n)" OUT "limit  none: liminf = -2, limsup = 9/8")
expect(COMMAND asymptotics "cos(n) + cos(2*n + 1)" --format json
       OUT "there is none: liminf in [-1.565301292, -1.565301291], limsup in [1.901134049, 1.901134050]")

# Bad use.
expect(COMMAND asymptotics EXIT 2 ERR "asymptotics: " "expression")
expect(COMMAND asymptotics "m*n" EXIT 2 ERR "unknown name 'm'" "\n  m*n\n  ^\n")
expect(COMMAND asymptotics "n +" EXIT 2 ERR "found the end where a number")
expect(COMMAND asymptotics n --terms 0 EXIT 2 ERR "--terms")
expect(COMMAND asymptotics n --format yaml EXIT 2 ERR "--format")
expect(COMMAND asymptotics n --foo EXIT 2 ERR "--foo")
