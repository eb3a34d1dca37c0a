#include "checks/verifier/proof.h"

#include <algorithm>

#include "checks/verifier/rules.h"

namespace gpe::verifier {

namespace {

const Form kX(single(1), 1);
Form two_pi() { return {2 * atom_pi()}; }
const std::string kStructure = "rule score threshold defined modulus residue",
                  kCounts = "k i from to block other", kConstants = "C M c eta e g p eps q branch turned",
                  kFormulas = "U S";

class Proof {
 public:
  Proof(const Question& question, const Law& law, const Calculus& cell, const std::set<std::string>& free,
        const Json& json)
      : question_(question), law_(law), calculus_(cell), free_(free), json_(json) {}

  void check(bool explicit_n) {
    static const std::string known =
        "cn.every-content cn.some-content cn.expected eb.limit eb.some-content eb.uniform ldcp.literal "
        "ldcp.signed "
        "ldcp.probability ldcp.content ldcp.weight gps.scalar gps.norm gps.vector";
    const std::size_t dot = question_.name.rfind('.');
    const std::string reading = question_.name.substr(0, dot), verdict = question_.name.substr(dot + 1);
    if ((verdict != "holds" && verdict != "fails") || reading.find(' ') != std::string::npos ||
        !mentions(known, reading))
      throw NotShown("no such claim: " + question_.name);
    const std::string name = json_.at("rule");
    if (json_.size() == 1 && by_shape(name)) return;
    if (law_.windowed && !asked("gps.", ""))
      throw NotShown("with a window of keys there is one rule: window");
    for (const Rule& rule : rules()) {
      const bool scored = !rule.scores.empty();
      if (rule.name != name || !mentions(rule.questions, question_.name) || scored != json_.contains("score"))
        continue;
      if (scored && !mentions(rule.scores, json_.at("score"))) continue;
      Evaluator e = law_.evaluator(calculus_, free_);
      if (scored) e.texts["$A"] = "$" + json_.at("score").get<std::string>();
      e.names["$B"] = e(question_.bound), e.names["$branch"] = 1;
      e.names["$turn"] = (asked("gps.scalar", "") ? Q(1, 2) : Q(1)) * two_pi();
      if (!calculus_.nonnegative(e.names["$B"])) throw NotShown("the content bound may be negative");
      for (const auto& [key, value] : json_.items()) read(rule, key, value, e);
      prepare(rule, e);
      if (rule.where != Where::points && explicit_n) set_threshold();
      const long modulus = count(json_.value("modulus", Json(1U))),
                 residue = count(json_.value("residue", Json(0U)));
      if (modulus < 1 || modulus > 720 || residue >= modulus) throw NotShown("no residue class");
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

  // A constant of the rule, or a formula of n. Constants have neither n nor L.
  void read(const Rule& rule, const std::string& key, const Json& value, Evaluator& e) const {
    if (mentions(kStructure, key)) return;
    const bool branch = key == "branch" || key == "turned", block = key == "block" || key == "other";
    if (!mentions(rule.claims, "$" + key) && !branch)
      throw NotShown("the rule '" + rule.name + "' has no '" + key + "'");
    if (mentions(kFormulas, key))
      e.texts["$" + key] = "(" + value.get<std::string>() + ")";
    else if (mentions(kCounts, key))
      e.names["$" + key] = count(value);
    else if (mentions(kConstants, key))
      e.names["$" + key] = e(value.get<std::string>());
    else
      throw NotShown("'" + key + "' is given by the law");
    if (e.names.contains("$" + key) && !e.names.at("$" + key).constant())
      throw NotShown("'" + key + "' is not constant");
    if (key == "q" && e.rational(value).get_den() != 1) throw NotShown("q is no whole number");
    if (branch && value != "1" && value != "-1") throw NotShown("a branch is 1 or -1");
    if (block && count(value) >= law_.head_dim / 2) throw NotShown("there is no block " + value.dump());
    if ((key == "from" || key == "to") &&
        (count(value) < law_.first ||
         (law_.windowed && !calculus_.nonnegative(window() - (count(value) - law_.first + 1)))))
      throw NotShown("there is no distance " + value.dump());
  }

  // What rules need besides their claims.
  void prepare(const Rule& rule, Evaluator& e) {
    const bool plain = law_.transform == "identity" || law_.transform == "rotation";
    const bool random = json_.value("score", "") == "mean" || rule.name == "content-stays-likely",
               entropy = rule.name.starts_with("turns-by");
    if (random && (!plain || law_.has("softcap"))) throw NotShown("the law of qWk is not known");
    if (entropy && law_.transform != "rotation") throw NotShown("the theorem is about rotations");
    if (entropy) calculus_.assume(e.names["H"] = calculus_.symbol("H"), ">=");
    if (rule.name == "factor-changes" &&
        (law_.transform == "hyperbolic" || mentions(law_.formula("scale"), "j") || !whole_turns()))
      throw NotShown("W(n) is not seen to be a multiple of one matrix");
  }

  void check_claims(const Rule& rule, Evaluator e, const Form& n) const {
    if (rule.where == Where::far || rule.where == Where::diagonal) e.names["n"] = n;
    if (rule.where == Where::triangle)
      e.names["n"] = Calculus::between(law_.first, kX), e.names["$n"] = Calculus::between(law_.first, kX);
    if (rule.where == Where::points) e.names["n"] = law_.first;
    if (rule.where != Where::far) e.names["L"] = rule.where == Where::diagonal ? n : kX;
    if (mentions(rule.claims, "$U") && !json_.contains("U")) {  // U = -A
      e.names["$A"] = e("$A"), e.texts.erase("$A");
      e.names["$U"] = -e.names["$A"];
    }
    int number = 0;
    for (const auto& [f, relation] : e.conditions(rule.claims))
      if (++number > 0 && !(relation == "=" ? f.zero() : calculus_.follows(f, relation)))
        throw NotShown("claim " + std::to_string(number) + " of '" + rule.claims + "' is not shown");
  }

  // The domain of the claims; and a proof that the score has a value at every n before it.
  void set_threshold() {
    if (!law_.depends_on_length()) {
      Calculus far = calculus_;
      start(far, json_.at(json_.contains("defined") ? "defined" : "threshold"));
      has_value(far, kX);
      const Q last = upper(far.log_start());
      const mpz_class most =
          last < 40 ? floor(upper(exp(Interval(last))) + 1) : mpz_class(mpz_class(1) << 58);
      if (most > law_.first) whole_numbers(law_.first, most);
      for (Q low = 40; low < last; low *= 2)
        has_value(calculus_, Calculus::between(calculus_.exp(Form(low)), calculus_.exp(Form(Q(2 * low)))));
    }
    start(calculus_, json_.at("threshold"));
  }
  void has_value(const Calculus& calculus, const Form& n) const {
    Evaluator e = law_.evaluator(calculus, free_);
    e.names["n"] = n, e.names["$B"] = 1;
    e("$above");
  }
  void whole_numbers(const mpz_class& low, const mpz_class& high) {
    try {
      return has_value(calculus_, Calculus::between(Q(low), Q(high)));
    } catch (const NotShown&) {
      if (low == high || ++blocks_ > 200) throw;
    }
    const mpz_class middle = (low + high) / 2;
    whole_numbers(low, middle), whole_numbers(middle + 1, high);
  }

  Form window() const { return law_.evaluator(calculus_, free_)(law_.formula("window")); }

  // Answers that follow from the shape of the law. False: the rule is another one.
  bool by_shape(const std::string& name) const {
    if (name == "window")
      return law_.windowed && (asked("cn.", ".holds") || asked("eb.", ".holds") || asked("ldcp.", ".fails"));
    if (name == "one-key")
      return law_.windowed && calculus_.positive(2 - window()) && asked("gps.", ".fails");
    if (name == "no-content")
      return law_.transform == "none" && (asked("gps.", ".fails") || asked("ldcp.content", ".fails"));
    if (name == "constant") return asked("gps.", ".fails") && is_constant(!asked("gps.norm", ""));
    return name == "bias-oscillates" && !law_.windowed && oscillates();
  }

  // f(n) W(n) is the same for all n; or its singular values are.
  bool is_constant(bool all) const {
    if (all && !whole_turns()) return false;
    const bool fixed =
        law_.transform != "hyperbolic" && !mentions(law_.formula("gain") + " " + law_.formula("scale"), "n");
    Calculus two = calculus_;
    two.assume(two.symbol("L") - law_.first, ">=");
    std::vector<Evaluator> at;
    for (const char* n : {"n", "n'"}) {
      two.assume(two.symbol(n) - law_.first, ">=");
      at.push_back(law_.evaluator(two, free_));
      at.back().names["n"] = two.symbol(n), at.back().names["L"] = fixed ? kX : Form(two.symbol("L"));
    }
    const bool by_block = law_.has("scale") || law_.has("rate");
    bool result = true;
    for (long j = 0; j < (by_block ? law_.head_dim / 2 : 1); ++j)
      for (long branch : {1, -1}) {
        for (Evaluator& e : at) e.names["j"] = j, e.names["$branch"] = branch;
        for (const char* what : {all ? "$factor" : "$length", "$stretch"})
          result = result && (at[0](what) == at[1](what) || fixed);  // all of them have values
      }
    return result;
  }

  bool whole_turns() const {
    Calculus calculus = calculus_;
    const Constant n = calculus.symbol("n");
    calculus.assume(n - law_.first, ">=");
    Evaluator e = law_.evaluator(calculus, free_);
    e.names["n"] = n, e.names["L"] = kX;
    for (long j = 0; j < law_.head_dim / 2 && law_.has("angle"); ++j) {
      e.names["j"] = j;
      const Form turns = (e("$angle") - e("with(n, $first, $angle)")) * calculus.power(two_pi(), -1);
      for (const auto& [powers, q] :
           turns.constant() ? turns.value().terms : throw NotShown("an angle that grows with L")) {
        const bool power_of_n = powers.size() == 1 && Constant({{powers.begin()->first, 1}}, 1) == n &&
                                powers.begin()->second > 0;
        if (!power_of_n || powers.begin()->second.get_den() != 1 || q.get_den() != 1) return false;
      }
    }
    return true;
  }

  bool turns_partly(const Constant& angle) const {  // 0 < |angle| < 2π
    return calculus_.follows(angle, "!=") && calculus_.positive(two_pi() - angle) &&
           calculus_.positive(two_pi() + angle);
  }

  // b = mean + Σ a cos(ω n + φ) + o(1), no ω a multiple of 2π; where the mean is zero, one ω apart from the
  // others.
  bool oscillates() const {
    Evaluator e = law_.evaluator(calculus_, free_);
    e.names["n"] = kX;
    const Form b = e("$b");
    if (b.zero() || Growth() < b.terms.rbegin()->first) return false;
    Constant mean;
    std::vector<std::pair<Constant, Constant>> waves;  // a, ω
    for (const auto& [powers, coefficient] :
         (b.terms.rbegin()->first == Growth() ? b.terms.rbegin()->second : Constant()).terms) {
      Powers rest = powers;
      Form angle;
      for (const auto& [atom, exponent] : powers) {
        if (atom->kind < Atom::Kind::error) continue;
        if (!angle.zero() || exponent != 1 || !e.waves.contains(atom->name)) return false;
        angle = e.waves.at(atom->name), rest.erase(atom);
      }
      if (angle.zero()) mean += Constant(powers, coefficient);
      if (angle.zero()) continue;
      if (!(angle.terms.rbegin()->first == single(1)) || angle.terms.size() > 1 + angle.terms.count(Growth()))
        return false;
      waves.emplace_back(Constant(rest, coefficient), angle.terms.rbegin()->second);
      if (!turns_partly(waves.back().second)) return false;
    }
    const bool literal = asked("ldcp.literal", ".holds") || asked("ldcp.probability", ".holds");
    if (!literal && !asked("ldcp.signed", ".holds")) return false;
    if (calculus_.positive(mean) || (literal && calculus_.positive(-mean))) return true;
    if (!calculus_.follows(mean, "=")) return false;
    return std::ranges::any_of(waves, [&](const auto& one) {
      return calculus_.follows(one.first, "!=") && turns_partly(2 * one.second) &&
             std::ranges::all_of(waves, [&](const auto& other) {
               return one.second == other.second ? &one == &other
                                                 : turns_partly(one.second - other.second) &&
                                                       turns_partly(one.second + other.second);
             });
    });
  }

  const Question& question_;
  const Law& law_;
  Calculus calculus_;
  const std::set<std::string>& free_;
  const Json& json_;
  int blocks_ = 0;
};

}  // namespace

void start(Calculus& calculus, const Json& threshold) {
  require_keys(threshold, {"depth", "ell", "from"});
  Evaluator e(calculus);
  const Q ell = e.rational(threshold["ell"]);
  if (!threshold["from"].is_null()) {
    Interval n(e.rational(threshold["from"]));
    for (long j = 0; j < count(threshold["depth"]); ++j) n = log(n);
    if (!(n - ell).nonnegative()) throw NotShown("'from' lies before the threshold");
  }
  calculus.start(count(threshold["depth"]), ell);
}

void check_proof(const Question& question, const Law& law, const Calculus& cell,
                 const std::set<std::string>& free, bool explicit_n, const Json& proof) {
  Proof(question, law, cell, free, proof).check(explicit_n);
}

}  // namespace gpe::verifier
