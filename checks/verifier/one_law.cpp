#include "checks/verifier/one_law.h"
// Tests: tests/certificates/forgeries.py, tests/certificates/attacks_test.cpp
#include <algorithm>

#include "checks/verifier/defined.h"

namespace gpe::verifier {

// What free parameters may be: the condition of their domains.
Calculus cell_of(const ScoreFunction& law, const std::set<std::string>& free) {
  Calculus cell;
  Evaluator e = law.evaluator(cell, free);
  if (free.contains("B")) cell.assume(e("B"), ">");
  std::set<std::string> unknown = free;
  unknown.erase("B");
  for (const Json& one : law.parameters())
    if (unknown.erase(one["name"]) > 0 && !one["domain"].is_null()) e.conditions(one["domain"], &cell);
  if (!unknown.empty()) throw NotShown("no parameter is called " + *unknown.begin());
  return cell;
}

namespace {

// The law has values, at the values of the parameters and for all that are free, also where a claim needs
// none.
void require_values(const Json& json, const std::set<std::string>& free) {
  const ScoreFunction law(json);
  require_defined(law, Calculus(), {});
  if (!free.empty()) require_defined(law, cell_of(law, free), free);
}

// Which parts of a score with gates or a query a claim is about; if none is set, no single score decides the
// claim.
struct Asked {
  bool nothing, sums, heights;
  explicit Asked(const Json& claim) {
    const std::string property = claim["property"], reading = claim["reading"];
    nothing = property == "gps" || (property == "ldcp" && reading == "content");
    heights = property == "ldcp" && among("weight signed", reading);
    sums =
        property == "convergent-normalization" || (property == "entropy-boundedness" && reading != "uniform");
  }
};

// Adds a condition to the domain of each parameter.
void restrict(Json& law, const std::string& condition) {
  for (Json& one : law["parameters"])
    one["domain"] = (one["domain"].is_null() ? "" : one["domain"].get<std::string>() + " and ") + condition;
}

void require_plain(const ScoreFunction& law) {
  if (law.depends_on_length() || mentions(law.formula("angle"), "H") ||
      law.formula("alpha") == "self-entropy")
    throw NotShown("gates, queries and normalizers are for scores without L and H(n)");
}

// A claim without cases: `holds`, `always`, or `fails`, `never`. @returns which of the two
bool has_one_side(const Json& claim) {
  const bool holds = claim["verdict"] == "holds";
  if (claim["region"] != (holds ? "always" : "never"))
    throw NotShown("a claim with cases does not follow from another");
  return holds;
}

// `probability` holds for all gates, or queries, where `content` does: a score is as likely on either side of
// b.
void ask_for_content(Json& claim, Json& which) {
  if (claim["reading"] != "probability" || claim["verdict"] != "holds" || !has_one_side(claim) ||
      (which != "every" && which != "some"))
    return;
  claim["reading"] = "content";
  which = nullptr;
}

// Theorems P1 and P2: the constant gate from which a claim follows where none decides it. For some gate one
// gate is enough; for all of them, and for random ones, a claim about another reading or a larger gate is.
// `gate` is a part of the way from the largest gate to the smallest, or how far below the largest or above
// the mean it lies.
std::string gate_that_shows(Json& top, const Json& path, const Json& gates, const std::string& open) {
  Json& claim = top["claim"];
  const std::string property = claim["property"], reading = claim["reading"], low = path["low"],
                    high = path["high"];
  const bool holds = has_one_side(claim), sums = property != "ldcp", below = low == "-inf";
  const Calculus plain;
  const Q part = Evaluator(plain).rational(top["gate"]);
  const std::string text = "(" + part.get_str() + ")";
  const bool no_low = among("low both", open), no_high = among("high both", open);
  top.erase("gate");
  if (gates == "random") {
    if (!path.contains("mean") || !sums || reading == "uniform" ||
        (!holds && property == "entropy-boundedness") || (holds ? part <= 0 : part >= 0))
      throw NotShown("a gate that shows nothing of random ones");
    return "(" + path["mean"].get<std::string>() + ") + " + text;
  }
  if (gates == (holds ? "some" : "every")) {
    const bool any = sums || reading == "weight";  // bounded changes do not matter
    if (part < 0 || (part == 0 && no_high && !any) || (!below && (part > 1 || (part == 1 && no_low && !any))))
      throw NotShown("none of the gates");
    return "(" + high + ") + " + text + (below ? "*(-1)" : "*((" + low + ") - (" + high + "))");
  }
  if (gates != "every" || (part != 0 && (part != 1 || below)))
    throw NotShown("a gate that does not show this of all");
  if (reading == "uniform" && part == 0) {
    claim["reading"] = "limit";
    return high;
  }
  if (!among("literal probability", reading) || !top["law"]["window"].is_null())
    throw NotShown("a gate that does not show this of all");
  const bool out = part == 0 ? no_high : no_low;  // then all others stay away from it by a constant
  claim["reading"] = "signed";
  claim["verdict"] = out ? "fails" : "holds";
  claim["region"] = out ? "never" : "always";
  if (out == (part == 0)) return part == 0 ? high : low;
  top["law"]["bias"] = "-(" + top["law"]["bias"].get<std::string>() + ")";
  return "-(" + (part == 0 ? high : low) + ")";
}

// Theorem P1: a claim about gates along the path is one about the law with a constant gate. Returns that
// law's certificate; that there is a gate is part of its domains.
Json with_constant_gate(Json top) {
  if (!top["law"].contains("path")) return top;
  const Json path = top["law"]["path"];
  Json gates = top["claim"]["gates"];
  const bool random = gates == "random", annealed = random && top["claim"]["reading"] == "expected";
  const std::string about = annealed ? "mean_exp" : "mean";
  if (path.size() != (random ? 4 : 3) || path.contains(about) != random) throw NotShown("another mean");
  top["law"].erase("path");
  top["claim"].erase("gates");
  const bool shown = top.contains("gate");
  if (!shown) ask_for_content(top["claim"], gates);
  const Asked asked(top["claim"]);
  const std::string open = path["open"].is_null() ? "" : path["open"], low = path["low"], high = path["high"];
  const std::string given = random ? path[about] : "", mean = annealed ? "log(" + given + ")" : given;
  std::string end = (gates == "every") == asked.sums ? high : low;
  if (annealed) end = mean;
  if ((asked.nothing || shown ? asked.nothing != gates.is_null()
                              : !(asked.sums || asked.heights) || end == "-inf" ||
                                    (gates != "every" && gates != "some" && !annealed)) ||
      (!shown && top["claim"]["reading"] == "signed" && gates == "every" && among("low both", open)))
    throw NotShown("no constant gate decides this claim");
  const ScoreFunction law(top["law"]);
  require_plain(law);
  const Calculus plain;
  Evaluator e = law.evaluator(plain, {});
  e.texts.clear();
  const auto require_order = [&](const std::string& less, const std::string& more, bool strict) {
    const Form length = e(more) - e(less);  // of parameters alone: n has no value here
    if (!(strict ? plain.positive(length) : plain.nonnegative(length))) throw NotShown("no gate");
    restrict(top["law"], "(" + less + (strict ? ") < (" : ") <= (") + more + ")");
  };
  require_order(low == "-inf" ? high : low, high, low != "-inf" && !open.empty());
  if (random) {
    e(given);
    if (low != "-inf") require_order(low, mean, among("low both", open));
    require_order(mean, high, among("high both", open));
  }
  if (shown) end = gate_that_shows(top, path, gates, open);
  if (!asked.nothing)
    top["law"]["bias"] = "(" + top["law"]["bias"].get<std::string>() + ") + n*(" + end + ")";
  return top;
}

// Of entmax: alpha > 1, which becomes a condition of the law.
void require_above_one(const ScoreFunction& plain, const std::string& alpha, Json& law) {
  const Calculus calculus;
  Evaluator e = plain.evaluator(calculus, {});
  e.texts.clear();
  if (!calculus.positive(e(alpha) - 1)) throw NotShown("alpha is not above 1");
  restrict(law, "1 < (" + alpha + ")");
}

// Theorems N1 to N5: a claim about weights that are not a softmax follows from one about a law without the
// key. Returns that law's certificate.
Json with_softmax(Json top) {
  if (!top["law"].contains("normalizer")) return top;
  const Json normalizer = top["law"]["normalizer"], level = top["level"];
  top["law"].erase("normalizer");
  top.erase("level");
  Json &law = top["law"], &claim = top["claim"];
  const std::string kind = normalizer["kind"], property = claim["property"], reading = claim["reading"],
                    verdict = claim["verdict"], region = claim["region"];
  const bool top_k = kind == "top-k", relu = kind == "relu", entmax = kind == "entmax",
             sigmoid = kind == "sigmoid", stick = kind == "stick-breaking", holds = verdict == "holds",
             settled = (holds && region == "always") || (verdict == "fails" && region == "never");
  const ScoreFunction plain(law);
  require_plain(plain);
  if (mentions(plain.formula("angle"), "L")) throw NotShown("normalizers are for scores without L");
  const Calculus calculus;
  if (top_k) restrict(law, "1 <= (" + normalizer["parameter"].get<std::string>() + ")");
  Json kept = law;
  kept["window"] = top_k ? normalizer["parameter"] : Json("1");
  ScoreFunction{kept};  // k is a number of keys
  if (entmax) require_above_one(plain, normalizer["parameter"], law);
  require_values(law, top["free"]);
  const auto no_level = [&] {
    if (!level.is_null()) throw NotShown("a level that nothing is compared with");
  };
  const bool norms = property == "convergent-normalization",
             sums = norms || property == "entropy-boundedness";
  if (plain.windowed || !sums || sigmoid || (top_k && reading == "uniform") ||
      (stick && (norms || level.is_null()))) {
    no_level();
    if (plain.windowed || (!sums && reading != "weight") || property == "gps") return top;
    if (!sums && relu) claim["reading"] = "signed";
    if (!sums && entmax && (holds || !settled)) throw NotShown("no claim about the bias decides this one");
    if (top_k && sums) law = kept;
    if (stick && (norms || !sums)) law = kept;
    if (sums && (sigmoid || stick) && reading == "uniform") claim["reading"] = "limit";
    if (stick && sums && !norms && (!holds || !settled)) throw NotShown("what is left is not looked at");
    if (!sigmoid || reading != "expected") return top;
    if (!settled) throw NotShown("E sigmoid(A) and E e^A differ");
    if (!holds) claim["reading"] = "some-content";
    return top;
  }
  const bool some = reading == "some-content", mean = reading == "expected" && !holds,
             uniform = reading == "uniform";
  if (!settled || plain.has("softcap") || !among("identity rotation none", plain.transform) ||
      claim["content_bound"].is_null() || (!holds && (uniform || stick)))
    throw NotShown("no level decides this claim");
  const std::string bias = "(" + plain.formula("bias") + ")", bound = claim["content_bound"];
  std::string score = bias;
  if (!mean && plain.transform != "none")
    score +=
        std::string(some != stick ? " - " : " + ") + "abs(" + plain.formula("gain") + ")*(" + bound + ")";
  claim["property"] = "ldcp";
  claim["content_bound"] = nullptr;
  claim["verdict"] = "fails";
  claim["region"] = "never";
  if (!relu && (!holds || (entmax && !norms))) {  // the score tends to infinity, or to -infinity
    no_level();
    claim["reading"] = "weight";
    law["bias"] = holds ? score : "-(" + score + ")";
    return top;
  }
  if (level.is_null()) throw NotShown("a level is missing");
  const Q at = Evaluator(calculus).rational(level);
  if (relu && (holds ? at >= 0 : at != 0)) throw NotShown("a level on the wrong side of 0");
  claim["reading"] = "signed";
  if (!holds) {
    claim["verdict"] = "holds";
    claim["region"] = "always";
  }
  law["bias"] = (stick ? "-(" + score + ") - log(1 + n)" : score) + " - (" + level.get<std::string>() + ")";
  return top;
}

// The same of queries: `at` is the part of the radius that is r where one r is enough, or the end beyond
// which no score lies.
std::string bias_of_shown(Json& top, const Json& which, const std::string& bias, const std::string& radius,
                          const std::string& shape) {
  Json& claim = top["claim"];
  const bool holds = has_one_side(claim);
  const Q part = Evaluator(Calculus()).rational(top["at"]);
  top.erase("at");
  const std::string r = "(" + part.get_str() + ")*" + radius;
  if (abs(part) > 1) throw NotShown("none of the queries");
  if (which == (holds ? "some" : "every")) return bias + r + "*(" + shape + ")";
  const bool uniform = claim["reading"] == "uniform" && part == 1;
  if (which != "every" || abs(part) != 1 || !(uniform || among("literal probability", claim["reading"])))
    throw NotShown("a query that does not show this of all");
  claim["reading"] = uniform ? "limit" : "signed";
  const std::string extreme = bias + r + "*abs(" + shape + ")";
  return uniform || part < 0 ? extreme : "-(" + extreme + ")";
}

// Theorem Q1: a claim about a bias linear in the query is one about the law with the largest scores of all
// queries, or with the smallest ones, where the shape has one sign near infinity. Returns that law's
// certificate.
Json with_extreme_query(Json top) {
  if (!top["law"].contains("query")) return top;
  const Json query = top["law"]["query"];
  Json which = top["claim"]["query"];
  top["law"].erase("query");
  top["claim"].erase("query");
  const bool shown = top.contains("at");
  if (!shown) ask_for_content(top["claim"], which);
  const Asked asked(top["claim"]);
  if (top["claim"]["property"] == "gps" ||
      (asked.nothing ? shown || !which.is_null()
                     : !(asked.sums || asked.heights || shown) || (which != "every" && which != "some")))
    throw NotShown("no one query decides this claim");
  const std::string radius = query["radius"], shape = query["shape"];
  const ScoreFunction law(top["law"]);
  require_plain(law);
  const Calculus plain;
  Evaluator e = law.evaluator(plain, {});
  e.texts.clear();
  if (!plain.positive(e(radius))) throw NotShown("a radius that is not positive");  // n has no value here
  const bool largest = (which == "every") == asked.sums;
  std::set<std::string> names;
  for (const Json& one : law.parameters()) names.insert(one["name"].get<std::string>());
  const Calculus cell = cell_of(law, names);
  Evaluator all = law.evaluator(cell, names);
  all.texts.clear();
  all.names["n"] = Form(single(1), 1);
  const Form far = all(shape);
  if (!asked.nothing && !shown && !largest && !cell.nonnegative(far) && !cell.nonnegative(-far))
    throw NotFollowed("the shape has no sign near infinity");
  restrict(top["law"], "0 < (" + radius + ")");
  const std::string bias = top["law"]["bias"];
  if (shown)
    top["law"]["bias"] = bias_of_shown(top, which, "(" + bias + ") + ", "(" + radius + ")", shape);
  else
    top["law"]["bias"] = "(" + bias + (largest ? ") + (" : ") - (") + radius + ")*abs(" + shape + ")";
  require_plain(ScoreFunction(top["law"]));
  return top;
}

// Theorem X2: E Z under a law of the content without a bound is the Z of a law without content, whose scores
// are log E e^A for the Gaussian law and the largest law; for some law, that of content 0. Returns that law's
// certificate.
Json with_mean_content(Json top) {
  if (!top["law"].contains("content")) return top;
  const std::string content = top["law"]["content"], kind = content.substr(0, content.find(':'));
  const Json which = top["claim"]["law"];
  top["law"].erase("content");
  top["claim"].erase("law");
  const bool gaussian = kind == "gaussian", some = which == "some";
  if (top["claim"]["reading"] != "expected" || !top["claim"]["content_bound"].is_null() ||
      !(gaussian ? which.is_null() : kind == "sub-gaussian" && (some || which == "every")) || kind == content)
    throw NotShown("no such claim about a law of the content");
  const ScoreFunction law(top["law"]);
  if (law.depends_on_length() || law.has("softcap") || !among("none identity rotation", law.transform))
    throw NotShown("laws of the content are for scores without L, a soft cap, and stretches");
  const Calculus plain;
  const Q deviation = Evaluator(plain).rational(content.substr(kind.size() + 1));
  if (deviation <= 0) throw NotShown("a deviation that is not positive");
  require_values(top["law"], top["free"]);  // the gain too
  const bool adds = !some && law.transform != "none";
  if (adds)
    top["law"]["bias"] = "(" + top["law"]["bias"].get<std::string>() + ") + " +
                         Q(deviation * deviation / 2).get_str() + "*(" + law.formula("gain") + ")^2";
  for (const char* key : {"angle", "alpha", "scale", "rate", "decay"}) top["law"][key] = nullptr;
  top["law"]["transform"] = "none";
  top["law"]["gain"] = "1";
  top["claim"]["content_bound"] = "1";
  return top;
}

}  // namespace

Json of_one_law(const Json& given) {
  return with_mean_content(with_extreme_query(with_constant_gate(with_softmax(given))));
}

}  // namespace gpe::verifier
