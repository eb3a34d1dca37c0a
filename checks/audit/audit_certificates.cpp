#include "checks/audit/audit_certificates.h"
// Tests: tests/certificates/audit.cmake
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "checks/certificate/certificate.h"
#include "checks/certificate/number_certificate.h"
#include "checks/cli/file_inside.h"
#include "checks/cli/write_file.h"
#include "checks/content/effective_window.h"
#include "checks/content/local_range.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Expr;

namespace {

constexpr int kDigits = 30;  // of Z and H

EncodingReport report_of(const ClaimSubject& subject, const theory::Context& context) {
  EncodingReport report;
  report.name = subject.encoding->name;
  report.encoding = *subject.encoding;
  report.setting = subject.setting;
  report.law = theory::instantiate(*subject.encoding, subject.setting, subject.values, context);
  report.closed_law = theory::at_values(report.law);
  for (const theory::Override& value : subject.values) report.overridden.insert(value.name);
  return report;
}

// Whether the claim of a certificate of numbers has this one.
bool has_number(const Json& claim, const std::string& quantity) {
  if (quantity == "Z" || quantity == "H") return !claim[quantity].is_null();
  if (quantity == "within" || quantity == "literal")
    return !claim["local_range"].is_null() && !claim["local_range"][quantity].is_null();
  if (quantity == "window") return !claim["windows"].empty();
  return !claim[quantity == "selfreach" ? "self_reach" : "reach"].empty();
}

class Writer {
 public:
  Writer(const theory::Context& context, const Verifier& verifier) : context_(context), verifier_(verifier) {}

  // what certificates say of them; what they do not goes into `uncertified`.
  Json file_of(const ClaimDependencies& dependencies, std::vector<std::string>& uncertified) {
    Json list = Json::array();
    const auto add = [&](const Json& one, const std::string& text) {
      if (!one.is_null()) {
        if (std::ranges::find(list, one) == list.end()) list.push_back(one);
      } else if (std::ranges::find(uncertified, text) == uncertified.end()) {
        uncertified.push_back(text);
      }
    };
    for (const UsedVerdict& verdict : dependencies.verdicts())
      add(known(verdict.key(), [&] { return of(verdict); }), verdict.text);
    for (const UsedNumber& number : dependencies.numbers())
      add(known(number.key(), [&] { return of(number); }), number.text);
    for (const std::string& text : dependencies.others()) add(nullptr, text);
    if (list.empty()) return nullptr;
    if (list.size() == 1) return list.front();
    return {{"schema", 1}, {"kind", "list"}, {"certificates", list}};
  }

 private:
  template <class Make>
  const Json& known(const std::string& key, const Make& make) {
    if (const auto found = cache_.find(key); found != cache_.end()) return found->second;
    Json made = make();
    if (!made.is_null()) {
      const Answer answer = ask(verifier_, made, context_);
      if (answer.kind == Answer::Kind::refused) throw std::runtime_error(refusal(key, answer));
      if (answer.kind == Answer::Kind::not_followed) made = nullptr;
    }
    return cache_.emplace(key, std::move(made)).first->second;
  }

  Json of(const UsedVerdict& used) const {
    std::vector<std::string> free = used.subject.open;
    Expr bound = used.reading->uses_content_bound ? used.bound : Expr(1);
    if (!free_symbols(bound).empty()) {
      bound = Expr::symbol(theory::kContentBound);
      free.emplace_back(theory::kContentBound);
    } else if (bound.number() == nullptr) {
      return nullptr;  // the format has rational bounds
    }
    EncodingReport report = report_of(used.subject, context_);
    const theory::ScoreFunction& law = free.empty() ? report.closed_law : report.law;
    const theory::Rational number = bound.number() == nullptr ? theory::Rational(1) : *bound.number();
    const theory::Finding finding = theory::find(*used.reading, law, number, context_, free);
    if (finding.verdict == theory::Verdict::undecided) return nullptr;
    return verdict_certificate(report, finding, bound, free, free.empty(), context_);
  }

  Json of(const UsedNumber& used) const {
    if (used.digits > kDigits) return nullptr;
    EncodingReport report = report_of(used.subject, context_);
    const theory::ScoreFunction& law = report.closed_law;
    ReportOptions options;
    options.digits = kDigits;
    const bool is_range = used.quantity == "within" || used.quantity == "literal";
    if (is_range) options.threshold = used.arguments[0];
    report.sums = enclose_sums(law, kDigits, context_);
    report.range = local_range(law, options.threshold, context_);
    if (!is_range && used.arguments.size() == 2) {
      ContentNumbers content;
      content.bound = used.arguments[1];
      if (used.quantity == "window") {
        options.epsilons = {used.arguments[0]};
        content.windows = {effective_window(law, used.arguments[0], content.bound, std::nullopt, context_)};
      } else {
        options.weights = {used.arguments[0]};
        content.reach = {reach(law, used.arguments[0], content.bound, std::nullopt, context_)};
      }
      report.contents = {content};
    }
    const Json json = number_certificate(report, options, context_);
    return !json.is_null() && has_number(json["claim"], used.quantity) ? json : Json(nullptr);
  }

  const theory::Context& context_;
  const Verifier& verifier_;
  std::map<std::string, Json> cache_;
};

}  // namespace

void write_certificates(const std::string& folder, AuditResult& result, const theory::Context& context,
                        const Verifier& verifier) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw theory::SpecError("--certificates " + folder + ": " + error.message());
  Writer writer(context, verifier);
  for (ClaimResult& claim : result.claims) {
    for (std::vector<ReadingResult>* readings : {&claim.readings, &claim.repairs}) {
      const std::string prefix = claim.id + (readings == &claim.repairs ? ".repair." : ".");
      for (std::size_t k = 0; k < readings->size(); ++k) {
        ReadingResult& reading = (*readings)[k];
        std::string name = prefix + std::to_string(k + 1) + ".json";
        std::ranges::replace(name, '/', '_');
        const std::filesystem::path file = file_inside(folder, name);
        Json json;
        if (reading.verdict != AuditVerdict::undecided)
          json = writer.file_of(reading.dependencies, reading.uncertified);
        if (json.is_null()) {
          remove_older(file);  // of another claim
          continue;
        }
        reading.certificate = name;
        write_file(file, json.dump(1) + "\n");
      }
    }
  }
}

}  // namespace gpe::checks
