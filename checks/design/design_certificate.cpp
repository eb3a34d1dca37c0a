#include "checks/design/design_certificate.h"
// Tests: tests/certificates/design_test.cpp
#include <nlohmann/json.hpp>
#include <set>

#include "checks/certificate/law_json.h"
#include "checks/certificate/number_certificate.h"
#include "checks/certificate/proof_json.h"
#include "checks/halfline/or_undecided.h"
#include "theory/exact/decision.h"

namespace gpe::checks {

namespace {

class Writer {
 public:
  Writer(const OrderedFamily& family, const DesignProblem& problem, const Design& design,
         const theory::Context& context)
      : family_(family), problem_(problem), design_(design), context_(context) {}

  Json write() {
    Json cases = tree(0);
    Json found = nullptr;
    if (design_.best) {
      found = {{"parameters", point_json(family_, *design_.best)},
               {"value", design_.value ? Json(design_.value->str()) : Json(nullptr)}};
      ParameterBox alone;
      for (const theory::Rational& value : *design_.best) alone.emplace_back(value, value);
      need(family_.flat(alone));
    }
    Json points = Json::array();
    for (const ParameterPoint& point : needed_) points.push_back(sums(point));
    Json box = Json::object(), requirements = Json::array();
    for (const FreeParameter& one : family_.free()) box[one.name] = {one.low.str(), one.high.str()};
    for (const Requirement& r : problem_.requirements) requirements.push_back(requirement_json(r));
    Json twins = Json::object();
    for (const Twin& twin : family_.twins()) twins[twin.name] = family_.free()[twin.of].name;
    Json objective = nullptr;
    if (problem_.objective) {
      objective = measure_json(problem_.objective->measure);
      objective["goal"] = problem_.objective->maximize ? "maximize" : "minimize";
      objective["bound"] = design_.bound && design_.best ? Json(design_.bound->str()) : Json(nullptr);
    }
    const bool only_found = !problem_.objective && design_.best;
    return {{"schema", 1},
            {"kind", "design"},
            {"claim",
             {{"box", box},
              {"content_bound", family_.bound().str()},
              {"requirements", requirements},
              {"objective", objective},
              {"found", found}}},
            {"law", law()},
            {"free", family_.names()},
            {"proof",
             {{"bias", twins.empty() ? Json(nullptr) : Json(family_.bias_text())},
              {"twins", twins},
              {"points", points}}},
            {"cases", only_found ? Json(nullptr) : cases},
            {"witnesses", nullptr}};
  }

 private:
  Json law() const {
    EncodingReport report;
    report.name = family_.encoding().name;
    report.setting = family_.setting();
    report.encoding = family_.encoding();
    ParameterPoint point;
    for (const FreeParameter& one : family_.free()) point.push_back(one.low);
    report.law = family_.law(design_.best.value_or(point));
    for (const theory::ParameterValue& value : report.law.parameters) report.overridden.insert(value.name);
    return law_json(report);
  }

  Json tree(std::size_t index) {
    const DesignNode& node = design_.nodes[index];
    if (!node.leaf)
      return {{"split", family_.free()[node.parameter].name},
              {"at", node.at.str()},
              {"below", tree(node.below)},
              {"above", tree(node.below + 1)}};
    if (!problem_.objective && design_.best) return nullptr;
    const int objective = static_cast<int>(problem_.requirements.size());
    const int by = node.excluded_by < 0 ? objective : node.excluded_by;
    if (by < objective) {
      need_for(problem_.requirements[static_cast<std::size_t>(by)], node.box);
    } else if (problem_.objective && design_.bound) {
      const Objective& o = *problem_.objective;
      need_for({o.measure, o.maximize ? theory::Relation::greater : theory::Relation::less, *design_.bound},
               node.box);
    } else {
      throw theory::Undecided("a box is left open");
    }
    return {{"excluded_by", by}};
  }

  // The sums that show that no point of a box meets the requirement.
  void need_for(const Requirement& r, const ParameterBox& box) {
    using enum theory::Relation;
    const bool most = r.relation == less || r.relation == less_equal;
    switch (r.measure.quantity) {
      case DesignQuantity::parameter:
      case DesignQuantity::range:
        return;
      case DesignQuantity::entropy:
        if (!r.measure.at) need(most ? family_.steep(box) : family_.flat(box));
        if (!r.measure.at && !falls(box)) need(most ? family_.flat(box) : family_.steep(box));
        return;
      case DesignQuantity::convergence:
        return need(family_.steep(box));
      case DesignQuantity::cache:
        return need(most ? family_.steep(box) : family_.flat(box));
      case DesignQuantity::reach:
        return need(most ? family_.flat(box) : family_.steep(box));
    }
  }
  bool falls(const ParameterBox& box) const {
    return family_.falls() ||
           DesignPoint(family_.closed_law(family_.flat(box)), problem_.digits, context_).bernstein();
  }
  void need(const ParameterPoint& point) { needed_.insert(point); }

  Json sums(const ParameterPoint& point) const {
    const theory::ScoreFunction law = family_.closed_law(point);
    std::optional<SumProof> proof;
    if (law.window) {
      proof = SumProof();
    } else {
      proof = or_undecided([&] {
        const Sums known = enclose_sums(law, problem_.digits, context_);
        return known.z.finite == Finite::no ? divergence_proof(law, context_)
                                            : design_sum_proof(law, context_);
      });
    }
    if (!proof) throw theory::Undecided("no proof of the sum at " + point_json(family_, point).dump());
    Json result = {{"at", point_json(family_, point)}};
    result.update(proof_json(*proof));
    return result;
  }

  const OrderedFamily& family_;
  const DesignProblem& problem_;
  const Design& design_;
  const theory::Context& context_;
  std::set<ParameterPoint> needed_;
};

}  // namespace

Json point_json(const OrderedFamily& family, const ParameterPoint& point) {
  Json result = Json::object();
  for (std::size_t i = 0; i < point.size(); ++i) {
    const std::size_t count = family.free().size();
    result[i < count ? family.free()[i].name : family.twins()[i - count].name] = point[i].str();
  }
  return result;
}

Json design_certificate(const OrderedFamily& family, const DesignProblem& problem, const Design& design,
                        const theory::Context& context) {
  return Writer(family, problem, design, context).write();
}

}  // namespace gpe::checks
