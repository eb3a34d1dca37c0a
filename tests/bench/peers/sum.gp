\\ One sum by PARI, for sums.py, which defines METHOD, DIGITS, FIRST, HINT, WITH_E and the score A(n) before reading this.
\\ Prints Z, E = sum of -A e^A and the CPU seconds for both.
default(realprecision, DIGITS);
total(f) = if(METHOD == "sumpos", sumpos(n = FIRST, f(n)), if(HINT == 0, sumnum(n = FIRST + 1, f(n)) + f(FIRST), sumnum(n = FIRST + 1, f(n), sumnuminit(HINT)) + f(FIRST)));
{
  my(z, e = 0, runs = 0, seconds = 0);
  while(runs == 0 || (seconds < 100 && runs < 50),
    gettime();
    z = total(n -> exp(1. * A(n)));
    if(WITH_E, e = total(n -> -A(n) * exp(1. * A(n))));
    seconds += gettime();
    runs++);
  print("VALUES ", z, " ", e, " ", 1. * seconds / runs / 1000);
}
quit
