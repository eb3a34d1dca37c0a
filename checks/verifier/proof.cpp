#include "checks/verifier/proof.h"
// Tests: tests/certificates/hypotheses_test.cpp, tests/certificates/forged_rules.py
#include <algorithm>

#include "checks/verifier/rules.h"
#include "checks/verifier/waves.h"

namespace gpe::verifier {

namespace {

const Form kX(single(1), 1);
Form two_pi() { return {2 * atom_pi()}; }

class Proof {
 public:
  Proof(const Question& question, const ScoreFunction& law, const Calculus& cell,
        const std::set<std::string>& free, const Json& json)
      : question_(question), law_(law), calculus_(cell), free_(free), json_(json) {}

  void check() {
    const std::string name = json_["rule"], score = json_.value("score", "");
    if (by_shape(name)) return;
    for (const Rule& rule : rules()) {
      if (rule.name != name || !among(rule.questions, question_.name) ||
          (!rule.scores.empty() && !among(rule.scores, score)))
        continue;
      if (rule.where != Where::points && law_.windowed != (rule.where == Where::window))
        throw NotShown("the rule '" + name + "' is not about such windows");
      Evaluator e = law_.evaluator(calculus_, free_);
      e.texts["$A"] = "$" + score;
      e.names["$B"] = e(question_.bound);
      e.names["$branch"] = e.names["$turned"] = 1;
      e.names["$turn"] = (asked("gps.vector", "") ? Q(1) : Q(1, 2)) * two_pi();
      for (const auto& [key, value] : json_.items()) read(rule, key, value, e);
      prepare(rule, e);
      if (rule.where != Where::points && explicit_) {
        if (!json_.contains("threshold")) throw NotShown("there is no threshold");
        start(calculus_, json_["threshold"]);
      }
      const long modulus = json_.value("modulus", 1L), residue = json_.value("residue", 0L);
      if (residue >= modulus || (rule.every_class && json_.contains("residue")))
        throw NotShown("no residue class");
      for (long r = 0; r < modulus; ++r)
        if (rule.every_class || r == residue) check_claims(rule, e, Q(modulus) * kX + r);
      return;
    }
    throw NotShown("the rule '" + name + "' does not answer " + question_.name);
  }

 private:
  bool asked(const char* property, const char* verdict) const {
    return question_.name.starts_with(property) && question_.name.ends_with(verdict);
  }

  // A constant of the rule, which has neither n nor L, or a formula of n.
  void read(const Rule& rule, const std::string& key, const Json& value, Evaluator& e) const {
    if (among("rule score modulus residue threshold", key)) return;
    if (among("branch turned", key) ? !law_.has("rate") : !mentions(rule.claims, "$" + key))
      throw NotShown("the rule '" + rule.name + "' has no '" + key + "' here");
    if (among("U S", key)) {
      e.texts["$" + key] = value;
      return;
    }
    const long number = value.is_number() ? value.get<long>() : 0;
    const Form constant = value.is_number() ? Form(number) : e(value);
    if (!constant.constant()) throw NotShown("'" + key + "' is not constant");
    e.names["$" + key] = constant;
    if (key == "q") e.names["$way"] = e.rational(value).get_num() % 2 == 0 ? -1 : 1;
    if (among("block other", key) && number >= law_.head_dim / 2)
      throw NotShown("there is no block " + value.dump());
    if (among("from to", key) &&
        (number < law_.first ||
         (law_.windowed && !calculus_.nonnegative(window() - (number - law_.first + 1)))))
      throw NotShown("there is no distance " + value.dump());
  }

  // What rules need besides their claims.
  void prepare(const Rule& rule, Evaluator& e) {
    const bool plain = law_.transform == "identity" || law_.transform == "rotation",
               capped = law_.has("softcap");
    const bool random = json_.value("score", "") == "mean" || rule.name == "content-stays-likely",
               entropy = rule.name.starts_with("turns-by");
    if (random && (!plain || capped)) throw NotShown("the law of qWk is not known");
    if (entropy && law_.transform != "rotation") throw NotShown("the theorem is about rotations");
    if (entropy) calculus_.assume(e.names["H"] = calculus_.symbol("H"), ">=");
    if (!capped &&
        (rule.name == "cap-changes" || (asked("gps.norm", "") && (entropy || rule.name == "turns"))))
      throw NotShown("there is no soft cap");
    // what n = x does not show: a key near the query whose score grows with L
    const bool by_bias = entropy || (mentions(rule.claims, "$b") && !mentions(rule.claims, "$size")) ||
                         json_.value("score", "") == "b";
    const std::string used =
        law_.formula("bias") + " " + (entropy ? law_.formula("gain") + " " + law_.formula("angle") : "");
    if (rule.where == Where::far && (by_bias ? mentions(used, "L") : law_.depends_on_length()))
      throw NotShown("the rule '" + rule.name + "' is not about scores that depend on L");
    if (asked("gps.scalar", ".holds")) one_matrix();
    if (rule.name != "factor-changes") return;
    one_matrix();
    for (const auto& [key, sign] : {std::pair("from", "$start"), std::pair("to", "$end")})
      e.names[sign] = half_turns_to(json_[key]).get_num() % 2 == 0 ? 1 : -1;
  }

  void check_claims(const Rule& rule, Evaluator e, const Form& n) const {
    if (rule.where == Where::points)
      e.names["n"] = Form(law_.first);
    else if (rule.where == Where::far || rule.where == Where::diagonal)
      e.names["n"] = n;
    else
      e.names["n"] =
          Calculus::between(law_.first, rule.where == Where::window ? window() + (law_.first - 1) : kX);
    if (rule.where == Where::triangle) e.names["$n"] = Calculus::between(law_.first, kX);
    if (rule.where != Where::far) e.names["L"] = rule.where == Where::diagonal ? n : kX;
    if (asked("gps.", "")) e.names["j"] = 0;
    if (mentions(rule.claims, "$U") && !json_.contains("U")) {  // U = -A
      e.names["$A"] = e("$A");
      e.texts.erase("$A");
      e.names["$U"] = -e.names["$A"];
    }
    int number = 0;
    for (const auto& [f, relation] : e.conditions(rule.claims)) {
      ++number;
      if (relation == "=" ? f.zero() : calculus_.follows(f, relation)) continue;
      const std::string claim = "claim " + std::to_string(number) + " of '" + rule.claims + "' is ";
      if (explicit_ && calculus_.follows(f, contrary(relation))) throw NotShown(claim + "false");
      throw NotFollowed(claim + "not shown");
    }
  }

  Form window() const { return law_.evaluator(calculus_, free_)(law_.formula("window")); }

  // Answers that follow from the shape of the law. False: the rule is another one.
  bool by_shape(const std::string& name) {
    if (name == "window")
      return law_.windowed &&
             (asked("ldcp.", ".fails") || asked("eb.uniform", ".holds") ||
              (!law_.depends_on_length() && (asked("cn.", ".holds") || asked("eb.", ".holds"))));
    if (name == "one-key")
      return law_.windowed && calculus_.positive(2 - window()) && asked("gps.", ".fails");
    if (name == "no-content")
      return law_.transform == "none" && (asked("gps.", ".fails") || asked("ldcp.content", ".fails"));
    if (name == "constant") return asked("gps.", ".fails") && is_constant();
    const bool literal = asked("ldcp.literal", ".holds") || asked("ldcp.probability", ".holds");
    return name == "bias-oscillates" && !law_.windowed && (literal || asked("ldcp.signed", ".holds")) &&
           (oscillates(calculus_, law_.evaluator(calculus_, free_), literal)
                ? true
                : throw NotFollowed("waves whose values are not known"));
  }
  Evaluator symbolic(Calculus& cell, const char* n) const {
    cell.assume(cell.symbol(n) - law_.first, ">=");
    cell.assume(cell.symbol("L") - law_.first, ">=");
    Evaluator e = law_.evaluator(cell, free_);
    e.names["n"] = cell.symbol(n);
    e.names["L"] = cell.symbol("L");
    e.names["j"] = 0;
    e.names["$branch"] = 1;
    return e;
  }

  // The gradient is the same for all n; or its length is.
  bool is_constant() const {
    const bool fixed =
        law_.transform != "hyperbolic" && !mentions(law_.formula("gain") + " " + law_.formula("scale"), "n");
    const bool capped = law_.has("softcap"), all = capped || !asked("gps.norm", "");
    Calculus two = calculus_;
    Evaluator one = symbolic(two, "n"), other = symbolic(two, "n'");
    if (fixed) one.names["L"] = other.names["L"] = kX;
    const auto same = [&](const char* what) { return one(what) == other(what) || fixed; };
    for (long j = 0; j < law_.head_dim / 2; ++j)
      for (long branch : {1, -1}) {
        for (Evaluator* e : {&one, &other}) {
          e->names["j"] = j;
          e->names["$branch"] = branch;
        }
        const bool level = same(all ? "$entry" : "$length");
        if (level && (one("$entry").zero() || !all)) continue;
        if (!level || (capped && !same(law_.has("scale") ? "$scale" : "$stretch")) ||
            (law_.has("angle") && !turns_wholly(angle_since_first(j), two_pi())))
          throw NotFollowed("f(n) W(n) is not seen to be constant");
      }
    return true;
  }

  void one_matrix() const {
    Calculus cell = calculus_;
    Evaluator e = symbolic(cell, "n");
    std::string part = mentions(law_.formula("scale"), "j") ? "$scale" : "1";
    if (law_.has("rate")) part = "$stretch";
    const Form first = e(part);
    bool same = law_.transform != "none";
    for (long j = 0; same && j < law_.head_dim / 2; ++j) {
      for (long branch : {1, -1}) {
        e.names["j"] = j;
        e.names["$branch"] = branch;
        same = same && e(part) == first;
      }
      if (!law_.has("angle")) continue;
      const Form angle = angle_since_first(0);
      same = same && turns_wholly(angle, Q(1, 2) * two_pi()) &&
             turns_wholly(angle_since_first(j) - angle, two_pi());
    }
    if (!same) throw NotFollowed("f(n) W(n) is not seen to be a multiple of one matrix");
  }

  // At n, a symbol.
  Form angle_since_first(long j) const {
    Calculus cell = calculus_;
    Evaluator e = symbolic(cell, "n");
    e.names["L"] = kX;
    e.names["j"] = j;
    return e("$angle") - e("$with(n, $first, $angle)");
  }
  // A whole number of them at every whole number n: a polynomial of n with whole coefficients.
  bool turns_wholly(const Form& angle, const Form& turn) const {
    const Form turns = angle * calculus_.power(turn, -1);
    if (!turns.constant()) throw NotFollowed("an angle that grows with L");
    return natural_part(turns) == turns;
  }
  Q half_turns_to(long n) const {
    if (!law_.has("angle")) return 0;
    Evaluator e = law_.evaluator(calculus_, free_);
    e.names["n"] = n;
    e.names["L"] = kX;
    e.names["j"] = 0;
    const Form turns =
        (e("$angle") - e("$with(n, $first, $angle)")) * calculus_.power(Q(1, 2) * two_pi(), -1);
    if (!turns.constant() || !turns.value().constant()) throw NotShown("an angle of no half turns");
    return turns.value().value();
  }

  const Question& question_;
  const ScoreFunction& law_;
  Calculus calculus_;
  const std::set<std::string>& free_;
  const Json& json_;
  const bool explicit_ = free_.empty();  // claims are about all n beyond a threshold, not just near infinity
};

}  // namespace

void start(Calculus& calculus, const Json& threshold) {
  Evaluator e(calculus);
  const long depth = threshold["depth"];
  const Q ell = e.rational(threshold["ell"]);
  if (!threshold["from"].is_null()) {
    Interval n(e.rational(threshold["from"]));
    for (long j = 0; j < depth; ++j) n = log(n);
    if (!(n - ell).nonnegative()) throw NotShown("'from' lies before the threshold");
  }
  calculus.start(depth, ell);
}

void check_proof(const Question& question, const ScoreFunction& law, const Calculus& cell,
                 const std::set<std::string>& free, const Json& proof) {
  Proof(question, law, cell, free, proof).check();
}

}  // namespace gpe::verifier
