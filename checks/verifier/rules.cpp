#include "checks/verifier/rules.h"
// Tests: tests/certificates/forged_rules.py
namespace gpe::verifier {

namespace {

const std::string kSumOfLogs = "sum($j, 1, $k, $iter($j))";
const std::string kConverges = "$C - $A - " + kSumOfLogs + " - (1 + $eta)*$iter($k + 1) > 0 and $eta > 0";
const std::string kDiverges = "$A + $C + " + kSumOfLogs + " + $iter($k + 1) > 0";
const std::string kWeightedConverges = "-$A - $U >= 0 and $U - 1 >= 0 and $C + $U - log($U) - " + kSumOfLogs +
                                       " - (1 + $eta)*$iter($k + 1) > 0 and $eta > 0";
const std::string kWeightedDiverges =
    "$A + $U >= 0 and -1 - $A >= 0 and $C - $U + log($U) + " + kSumOfLogs + " + $iter($k + 1) > 0";
// At both of two distances, in a block.
std::string at(const char* n, const std::string& what, const char* block = "$block") {
  return std::string("$with(n, ") + n + ", $with(j, " + block + ", " + what + "))";
}
const std::string kStep = at("$to", "$angle") + " - " + at("$from", "$angle");
const std::string kTurns = kStep + " - $q*$turn > 0 and ($q + 1)*$turn - (" + kStep + ") > 0 and $e*" +
                           at("$from", "$entry") + " > 0 and ";
const std::string kFlips = kStep + " - " + at("$to", "$angle", "$other") + " + " +
                           at("$from", "$angle", "$other") + " - $q*pi = 0 and $way*" +
                           at("$from", "$entry") + "*" + at("$to", "$entry") + "*" +
                           at("$from", "$entry", "$other") + "*" + at("$to", "$entry", "$other") + " > 0";
const std::string kEntropyTurns =
    " and n/$with(j, $block, $angle) - (1 + H(n))/$c = 0 and $c > 0 and $e*$gain > 0";
const std::string kEntropy = "gps.vector.holds gps.scalar.fails gps.norm.holds";
const std::string kVanishes = "1/$iter($i) - $b > 0 and 1/$iter($i) + $b > 0";
const std::string kOther = "$with($branch, $turned, $length)";

}  // namespace

const std::vector<Rule>& rules() {
  using enum Where;
  static const std::vector<Rule> all = {
      {"cn.every-content.holds cn.expected.holds", "sum-converges", "above", far, true, kConverges},
      {"cn.some-content.holds", "sum-converges", "below", far, true, kConverges},
      {"cn.every-content.fails eb.limit.fails", "sum-diverges", "above", far, false, kDiverges},
      {"cn.some-content.fails eb.some-content.fails", "sum-diverges", "below", far, false, kDiverges},
      {"cn.expected.fails", "sum-diverges", "b", far, false, kDiverges},
      {"cn.expected.holds", "sum-converges", "mean", far, true, kConverges + " and $a - 1 > 0"},
      {"cn.expected.fails", "sum-diverges", "mean", far, false, kDiverges + " and $a - 1 > 0"},
      {"eb.limit.holds eb.uniform.holds", "weighted-sum-converges", "above", far, true, kWeightedConverges},
      {"eb.some-content.holds", "weighted-sum-converges", "below", far, true, kWeightedConverges},
      {"eb.limit.fails", "weighted-sum-diverges", "above", far, false, kWeightedDiverges},
      {"eb.some-content.fails", "weighted-sum-diverges", "below", far, false, kWeightedDiverges},
      {"eb.uniform.fails", "weighted-sum-diverges", "b above below", far, true, kWeightedDiverges},
      {"eb.uniform.fails", "sum-diverges-bounded", "b above below", far, true,
       kDiverges + " and $M - $A > 0"},
      {"eb.uniform.fails", "levels-out", "b above below", far, true,
       "$A - $with(n, n - 1, $A) >= 0 and 1/$iter($i) - $A + $with(n, n - 1, $A) > 0"},
      {"eb.uniform.holds", "last-tokens", "", far, true,
       "$S - $with(n, n - 1, $S) - $c > 0 and $c > 0 and $M - $above + $S >= 0 and $M + $below - $S >= 0"},
      {"cn.every-content.fails eb.limit.fails", "length-diverges", "above", triangle, true,
       "$A + $iter(1) - $iter($i) > 0"},
      {"cn.some-content.fails eb.some-content.fails", "length-diverges", "below", triangle, true,
       "$A + $iter(1) - $iter($i) > 0"},
      {"cn.expected.fails", "length-diverges", "b", triangle, true, "$A + $iter(1) - $iter($i) > 0"},
      {"cn.every-content.fails eb.limit.fails", "first-diverges", "above", triangle, true,
       "$with(n, $first, $A) - $iter($i) > 0"},
      {"cn.every-content.holds cn.expected.holds", "length-converges", "above", triangle, true,
       "$C - $A - log(1 + L) > 0"},
      {"cn.some-content.holds", "length-converges", "below", triangle, true, "$C - $A - log(1 + L) > 0"},
      {"eb.limit.fails", "length-levels", "above", triangle, true, "$A + $iter(1) + $C > 0"},
      {"eb.some-content.fails", "length-levels", "below", triangle, true, "$A + $iter(1) + $C > 0"},
      {"eb.limit.holds eb.uniform.holds", "length-weighted-converges", "above", triangle, true,
       "$C - $A - log(1 + L) - log(1 + abs($A)) > 0 and $C + $with(n, $first, $below) > 0"},
      {"eb.some-content.holds", "length-weighted-converges", "below", triangle, true,
       "$C - $A - log(1 + L) - log(1 + abs($A)) > 0"},
      {"eb.uniform.fails", "length-spread", "b above below", triangle, true,
       "$iter(1) - $iter($i) - $A + $with(n, $n, $A) > 0"},
      {"ldcp.literal.holds ldcp.probability.holds", "bias-stays", "", diagonal, false,
       "$e*$b - $c > 0 and $c > 0"},
      {"ldcp.signed.holds", "bias-stays-positive", "", diagonal, false, "$b - $c > 0 and $c > 0"},
      {"ldcp.literal.fails", "bias-vanishes", "", far, true, kVanishes},
      {"ldcp.signed.fails", "bias-not-positive", "", far, true, "1/$iter($i) - $b > 0"},
      {"ldcp.signed.fails", "length-bias-not-positive", "", triangle, true, "1/$iter($i) - $b > 0"},
      {"ldcp.content.holds ldcp.probability.holds", "content-stays", "", diagonal, false,
       "$size - $c > 0 and $c > 0"},
      {"ldcp.probability.holds", "content-stays-likely", "", diagonal, false,
       "$size - 2*$eps > 0 and $eps > 0 and (3/4)^(d/2)/(4*(d - 1)) - $p >= 0 and $p > 0"},
      {"ldcp.content.fails", "content-vanishes", "", far, true, "1/$iter($i) - $size > 0"},
      {"ldcp.probability.fails", "both-vanish", "", far, true, "1/$iter($i) - $size > 0 and " + kVanishes},
      {"ldcp.weight.holds", "bias-bounded-below", "", diagonal, false, "$b + $C > 0"},
      {"ldcp.weight.fails", "bias-sinks", "", far, true, "-$b - $iter($i) > 0"},
      {"cn.every-content.holds cn.expected.holds eb.limit.holds", "window-converges", "above", window, true,
       "$C - $A > 0"},
      {"cn.some-content.holds eb.some-content.holds", "window-converges", "below", window, true,
       "$C - $A > 0"},
      {"cn.every-content.fails eb.limit.fails", "window-diverges", "above", window, true,
       "$with(n, $to, $A) - $iter($i) > 0"},
      {"cn.some-content.fails eb.some-content.fails", "window-diverges", "below", window, true,
       "$with(n, $to, $A) - $iter($i) > 0"},
      {"cn.expected.fails", "window-diverges", "b", window, true, "$with(n, $to, $A) - $iter($i) > 0"},
      {"gps.norm.holds gps.vector.holds", "size-changes", "", points, true,
       "$e*(" + at("$to", "$length") + " - " + at("$from", "$length") + ") > 0"},
      {"gps.scalar.holds gps.vector.holds", "factor-changes", "", points, true,
       "$e*($end*$with(n, $to, $entry) - $start*$with(n, $from, $entry)) > 0"},
      {"gps.norm.holds gps.vector.holds gps.scalar.holds", "cap-changes", "", points, true,
       "$e*(" + at("$to", "$stretch") + " - " + at("$from", "$stretch") + ") > 0 and $g*" +
           at("$from", "$entry") + " > 0"},
      {"gps.vector.holds", "turns", "", points, true, kTurns + "$e*" + at("$to", "$entry") + " > 0"},
      {"gps.scalar.fails gps.norm.holds", "turns", "", points, true,
       kTurns + "$g*" + at("$to", "$entry") + " > 0"},
      {"gps.scalar.fails", "flips", "", points, true, kFlips},
      {"gps.scalar.fails", "stretches", "", points, true,
       "$e*(" + at("$to", "$length") + "*" + at("$from", kOther, "$other") + " - " +
           at("$to", kOther, "$other") + "*" + at("$from", "$length") + ") > 0"},
      {kEntropy, "turns-by-entropy-fast", "", far, true, "-$b - 2*$iter(1) - 2*$iter(2) > 0" + kEntropyTurns},
      {kEntropy, "turns-by-entropy-slow", "", far, true,
       "-$b - $iter(1) - 3*$iter(2) > 0 and $b + 2*$iter(1) + $C > 0" + kEntropyTurns},
      {kEntropy, "turns-by-entropy-divergent", "b", far, true,
       kDiverges + " and $b - $with(n, n + 1, $b) >= 0" + kEntropyTurns},
  };
  return all;
}

}  // namespace gpe::verifier
