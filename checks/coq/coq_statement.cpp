#include "checks/coq/coq_statement.h"

#include <algorithm>

#include "checks/coq/coq_defined.h"
#include "checks/coq/coq_family.h"
#include "checks/coq/coq_term.h"
#include "theory/exact/form_expr.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Expr;
using theory::Property;

namespace {

constexpr const char* kPlainWidths =
    "  assert (width_nonnegative : forall n : nat, 0 <= B * 1) by (intros; lra).\n"
    "  assert (width_positive : forall n : nat, 0 < B * 1) by (intros; lra).\n";

}  // namespace

CoqStatement::CoqStatement(theory::ScoreFunction law, const theory::Reading& reading,
                           const theory::Context& context)
    : law_(std::move(law)), reading_(reading), context_(context) {
  symbols_ = theory::names_of(law_.parameters);
  free_ = symbols_;
  free_.emplace_back(theory::kContentBound);
  law_ = theory::at_values(law_, free_);
}

void CoqStatement::require_exported() const {
  if (law_.normalizer != theory::Normalizer::softmax) throw NotExported("a normalizer that is not softmax");
  if (law_.content_law) throw NotExported("a law of the content without a bound");
  if (law_.query && reading_.property == Property::gps)
    throw NotExported("the gradient of a bias linear in the query");
  if (law_.softcap) require_plain_cap();
  if (law_.two_sided && law_.depends_on_length()) throw NotExported("a law that mentions L, on both sides");
  if (law_.window && (!law_.window_size || law_.depends_on_length()))
    throw NotExported("a window of a law that mentions L");
  if (law_.window) require_counted_keys();
  if (law_.first != 0) throw NotExported("distances that do not begin at 0");
  const bool of_matrices = reading_.property == Property::gps;
  const bool of_random =
      reading_.name == "expected" || reading_.name == "content" || reading_.name == "probability";
  const bool plain =
      law_.transform == theory::Transform::identity || law_.transform == theory::Transform::rotation;
  if (!plain && (of_matrices || of_random)) throw NotExported("a transform that is not a rotation");
}

void CoqStatement::require_plain_cap() const {
  if (reading_.property == Property::gps) throw NotExported("the gradient under a soft cap");
  if (law_.path || law_.query || !law_.norm.is_number(1))
    throw NotExported("a soft cap of more than a rotation");
  if (law_.two_sided && !is_of_every_content())
    throw NotExported("random content under a soft cap, on both sides");
  const theory::Context context = theory::context_for(law_, free_, context_.question());
  if (context.known_sign(theory::to_form(*law_.softcap, context)) != 1)
    throw NotExported("a soft cap that may not be positive");
}

bool CoqStatement::is_of_every_content() const {
  return reading_.property == Property::entropy_boundedness ||
         (reading_.property == Property::convergent_normalization && reading_.name != "expected");
}

// W is a natural number in the statement: at least 1 in a window of W, and in no other formula.
void CoqStatement::require_counted_keys() const {
  if (law_.window_size->number() != nullptr) return;
  const std::string parameter = window_parameter();
  if (parameter.empty()) throw NotExported("a window that is an expression");
  const theory::Context context = theory::context_for(law_, free_, context_.question());
  const Expr keys = Expr::symbol(parameter);
  if (*law_.window_size == keys && context.known_sign(theory::to_form(keys, context)) != 1)
    throw NotExported("a window that may have no key");
  for (const Expr& formula : formulas())
    if (formula.mentions(parameter)) throw NotExported("the parameter of the window in another formula");
}

std::string CoqStatement::law_text() const {
  return law_.two_sided ? "both_sides (" + one_side() + ")" : one_side();
}

std::string CoqStatement::one_side() const {
  if (law_.path || law_.query) return Family(law_).law_with_member();
  if (law_.window) return "windowed " + coq_argument(*law_.window_size) + " (" + law_text(false) + ")";
  return law_text(law_.depends_on_length());
}

std::string CoqStatement::law_text(bool mentions_length) const {
  const std::string width = coq_term(law_.norm);
  if (!mentions_length)
    return "plain (fun n => " + coq_term(law_.gain) + ") (fun n => " + coq_term(law_.bias) + ") (fun n => " +
           width + ")";
  return "{| gain := fun L n => " + coq_term(law_.gain) + "; bias := fun L n => " + coq_term(law_.bias) +
         "; width := fun n => " + width + "; last := fun L => L |}";
}

// All that stand in the statement, a soft cap as what is divided by it.
std::vector<Expr> CoqStatement::formulas() const {
  std::vector<Expr> all = {law_.gain, law_.bias, law_.norm};
  if (reading_.property == Property::gps && law_.transform == theory::Transform::rotation)
    all.push_back(angle());
  if (law_.path) all.insert(all.end(), {law_.path->low.value_or(0), law_.path->high});
  if (law_.softcap) all.push_back(Expr(1) / *law_.softcap);
  if (law_.query) all.insert(all.end(), {law_.query->radius, law_.query->shape});
  return all;
}

// The tables that the law reads, each once.
std::vector<std::shared_ptr<const theory::Table>> CoqStatement::tables() const {
  std::vector<std::shared_ptr<const theory::Table>> found;
  const auto look = [&](const Expr& part) {
    if (const auto* entry = part.as<theory::node::TableAt>())
      if (std::ranges::find(found, entry->table->name, [](const auto& t) { return t->name; }) == found.end())
        found.push_back(entry->table);
    return part;
  };
  for (const Expr& formula : formulas()) theory::rewrite(formula, look);
  return found;
}

std::string CoqStatement::table_texts() const {
  std::string text;
  for (const auto& one : tables()) {
    if (one->first_index != 0) throw NotExported("a table whose first row is not 0");
    if (one->beyond != theory::Beyond::error)
      throw NotExported("a table that is extended beyond its last entry");
    if (std::ranges::find(free_, one->name) != free_.end())
      throw NotExported("a table with the name of a parameter");
    text += "\n  let " + coq_name(one->name) + " := table [" + theory::joined(one->values, "; ", coq_term) +
            "] in";
  }
  return text;
}

// The parameter W where the window has W keys, or a number more: W + 1.
std::string CoqStatement::window_parameter() const {
  std::vector<Expr> terms = {*law_.window_size};
  if (const auto* sum = law_.window_size->as<theory::node::Add>()) terms = sum->terms;
  std::string found;
  for (const Expr& term : terms) {
    const theory::Rational* more = term.number();
    if (const auto* symbol = term.as<theory::node::Symbol>(); symbol != nullptr && found.empty())
      found = symbol->name;
    else if (more == nullptr || !more->is_integer() || more->sign() < 0)
      return "";
  }
  return found;
}

bool CoqStatement::is_window(const std::string& parameter) const {
  return law_.window && window_parameter() == parameter;
}

// A parameter that counts the keys of the window is a natural number.
std::string CoqStatement::text_of(const theory::Condition& condition) const {
  return coq_condition({condition.relation, counted(condition.left), counted(condition.right)});
}

Expr CoqStatement::counted(const Expr& e) const {
  Expr result = e;
  for (const std::string& symbol : symbols_)
    if (is_window(symbol))
      result = theory::substitute(result, symbol, Expr::symbol("INR " + coq_name(symbol)));
  return result;
}

std::string CoqStatement::matrices() const {
  return law_.two_sided ? "(both_ways " + matrices_of_one_side() + ")" : matrices_of_one_side();
}

std::string CoqStatement::matrices_of_one_side() const {
  if (law_.transform == theory::Transform::identity) return "identity";
  return "(rotation " + std::to_string(law_.head_dim / 2) + " (fun L n j => " + coq_term(angle()) + "))";
}

// With H(n) as a term of Coq.
Expr CoqStatement::angle() const {
  return theory::rewrite(law_.rotation.angle, [&](const Expr& part) {
    const auto* entropy = part.as<theory::node::CutEntropy>();
    if (entropy == nullptr) return part;
    if (entropy->at != Expr::symbol(theory::kIndex) || law_.bias.mentions(theory::kLength))
      throw NotExported("H(n)");
    return Expr::symbol("H (fun n => " + coq_term(law_.bias) + ") n");
  });
}

std::string CoqStatement::property() const {
  const std::string name = name_in_coq(reading_);
  const std::string law = "(" + law_text() + ")";
  const std::string d = std::to_string(law_.head_dim);
  if (law_.softcap) return capped_property(name, law, coq_argument(*law_.softcap));
  switch (reading_.property) {
    case Property::convergent_normalization:
      if (reading_.name == "expected") return name + " " + law + " (sphere_moments " + d + " B " + law + ")";
      return name + " " + law + " B";
    case Property::entropy_boundedness:
      return name + " " + law + " B";
    case Property::ldcp:
      if (uses_bound()) return name + " " + law + " (sphere_tails " + d + " B " + law + ")";
      return name + " " + law;
    case Property::gps:
      break;
  }
  return name + " " + d + " " + law + " " + matrices();
}

// Of the contents s tanh (c/s).
std::string CoqStatement::capped_property(const std::string& name, const std::string& law,
                                          const std::string& cap) const {
  const std::string random = cap + " " + std::to_string(law_.head_dim) + " B " + law + ")";
  if (reading_.property == Property::ldcp) return name + " " + law + " (capped_tails " + random;
  if (!is_of_every_content()) return name + " " + law + " (capped_moments " + random;
  const bool of_some = reading_.name == "some-content";
  const std::string finite = "_finite " + law + " (capped " + cap + " contents)";
  std::string text = of_some ? "(exists" : "(forall";
  text += " contents : nat -> R, content " + law + " B contents " + (of_some ? "/\\ " : "-> ");
  if (reading_.name != "uniform") text += "Z" + finite;
  if (reading_.name == "limit" || (of_some && reading_.property == Property::entropy_boundedness))
    text += " /\\ ";
  return text + (reading_.property == Property::entropy_boundedness ? "H" + finite : "") + ")";
}

// The theorem of SoftCap.v about this law: "capped_eb_limit (plain …) s B …".
std::string CoqStatement::under_cap(const std::string& theorem) const {
  return "capped_" + theorem + " (" + law_text() + ") " + coq_argument(*law_.softcap) + " B ltac:(above)";
}

// From contents within B under the cap to contents within s tanh (B/s), which is called B afterwards.
std::string CoqStatement::at_cap() const {
  const std::string cap = coq_argument(*law_.softcap);
  return "assert (bound := capped_bound " + cap + " B ltac:(above) B_positive); revert bound; generalize (" +
         cap + " * tanh (B / " + cap + ")); clear dependent B; intros B B_positive";
}

std::vector<Detour> CoqStatement::without_cap(bool holds) const {
  theory::ScoreFunction plain = law_;
  plain.softcap.reset();
  if (law_.window) return {{plain, &reading_, holds, "", ""}};  // whatever the content
  const std::string law = "(" + law_text() + ")";
  if (reading_.property == Property::convergent_normalization && !holds)
    return {{plain, &theory::reading(theory::NormalizationReading::some_content), false,
             "(apply (" + under_cap("not_cn_expected") + " B_positive ltac:(intros; reflexivity)); " +
                 at_cap() + "; assert (width_nonnegative : forall n : nat, 0 <= B * 1) by (intros; lra); ",
             ")"}};
  const bool is_content = reading_.name == "content" || law_.bias.is_number(0);
  if (reading_.property != Property::ldcp || !holds || !is_content) return {};
  const std::string tails =
      "(capped_tails " + coq_argument(*law_.softcap) + " " + std::to_string(law_.head_dim);
  return {{plain, &theory::reading(theory::CorrelationReading::content), true,
           "(change (ldcp_content " + law + " " + tails + " B " + law + ")); apply (" +
               under_cap("ldcp_content") + " B_positive ltac:(intros; reflexivity)); ",
           ")"}};
}

bool CoqStatement::uses_bound() const {
  if (reading_.property == Property::ldcp)
    return reading_.name == "content" || reading_.name == "probability";
  return reading_.property != Property::gps;
}

// of no one in particular, as the reading does not ask for them
bool CoqStatement::speaks_of_all_members() const {
  return (law_.path || law_.query) && !theory::asks_for_bias(reading_);
}

std::string CoqStatement::quantifiers() const {
  std::string text, conditions;
  std::string names;
  for (const theory::ParameterValue& parameter : law_.parameters) {
    if (is_window(parameter.name))
      text += " forall " + coq_name(parameter.name) + " : nat,";
    else
      names += " " + coq_name(parameter.name);
    for (const theory::Condition& condition : parameter.domain) conditions += text_of(condition) + " -> ";
  }
  if (uses_bound()) {
    names += " B";
    conditions += "0 < B -> ";
  }
  if (!names.empty()) text += " forall" + names + " : R,";
  text += " " + conditions;
  if (speaks_of_all_members()) text += Family(law_).bound_member(true);
  return text + table_texts();
}

std::string CoqStatement::defined(const theory::Context& context, bool by_form) const {
  const std::string keys = law_.window ? coq_argument(*law_.window_size) : "";
  return coq_defined(formulas(), keys, law_.head_dim / 2, context, by_form);
}

std::string CoqStatement::introductions() const {
  std::string text = "  intros";
  int k = 0;
  for (const bool counts : {true, false})
    for (const theory::ParameterValue& parameter : law_.parameters)
      if (is_window(parameter.name) == counts) text += " " + coq_name(parameter.name);
  if (uses_bound()) text += " B";
  for (const theory::ParameterValue& parameter : law_.parameters)
    for (std::size_t i = 0; i < parameter.domain.size(); ++i) text += " domain_" + std::to_string(++k);
  if (uses_bound()) text += " B_positive";
  for (const auto& one : tables()) text += " " + coq_name(one->name);
  text = text == "  intros" ? "" : text + ".\n";
  if (law_.softcap && is_of_every_content())
    text += "  through (" + under_cap(name_in_coq(reading_)) + " ltac:(intros; reflexivity)).\n  " +
            at_cap() + ".\n";
  if (uses_bound() && !law_.norm.is_number(1))
    text += "  assert (width_nonnegative : forall n : nat, 0 <= B * " + coq_argument(law_.norm) +
            ") by (within_width B).\n";
  if (uses_bound() && law_.norm.is_number(1)) text += kPlainWidths;
  if (law_.two_sided) text += "  of_one_side.\n";
  if (speaks_of_all_members()) text += "  " + Family(law_).introduction() + ".\n";
  return text;
}

std::string CoqStatement::region_text(const std::string& region) const {
  theory::NameScope scope;
  scope.names = free_;
  std::string text;
  for (std::size_t at = 0; at <= region.size();) {
    const std::size_t end = std::min(region.find(", or ", at), region.size());
    const std::string one = region.substr(at, end - at);
    text += text.empty() ? "" : " \\/ ";
    std::string conjunct;
    for (std::size_t from = 0; from <= one.size();) {
      const std::size_t to = std::min(one.find(" and ", from), one.size());
      for (const theory::Condition& condition :
           theory::parse_conditions(one.substr(from, to - from), scope)) {
        const bool of_bound =
            condition.left.mentions(theory::kContentBound) || condition.right.mentions(theory::kContentBound);
        if (law_.softcap && of_bound)  // within B and within s tanh (B/s) differ
          throw NotExported("a region of B under a soft cap");
        conjunct += (conjunct.empty() ? "" : " /\\ ") + text_of(condition);
      }
      from = to + 5;
    }
    text += conjunct;
    at = end + 5;
  }
  return text;
}

}  // namespace gpe::checks
