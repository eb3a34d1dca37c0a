#include "checks/certificate/write_certificates.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "checks/certificate/certificate.h"
#include "checks/certificate/number_certificate.h"
#include "checks/certificate/proof_json.h"
#include "checks/certificate/proof_search.h"
#include "checks/cli/file_inside.h"
#include "checks/cli/write_file.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace {

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The far threshold after this one; nothing when it is the last, or none of them.
std::optional<Json> farther(const Json& threshold) {
  const std::vector<Threshold> all = far_thresholds();
  auto at = std::find_if(all.begin(), all.end(),
                         [&](const Threshold& one) { return threshold_json(one) == threshold; });
  return at == all.end() || ++at == all.end() ? std::nullopt : std::optional(threshold_json(*at));
}

}  // namespace

std::string refusal(const std::string& name, const Answer& answer) {
  return "error: the certificate that this program made of " + name +
         " is refused by its own verifier, and not written: " + answer.step;
}

Answer ask(const Verifier& verifier, Json& certificate, const theory::Context& context) {
  for (;;) {
    const auto left = context.budget().left();
    if (left && left->count() <= 0) return {Answer::Kind::not_followed, "the time limit"};
    const double seconds = left ? std::chrono::duration<double>(*left).count() : 10;
    Answer answer = verifier(certificate.dump(1) + "\n", seconds);
    Json& proof = certificate["proof"];
    const bool guessed = answer.kind == Answer::Kind::not_followed && answer.step.starts_with("claim ") &&
                         proof.is_object() && proof.contains("threshold");
    const auto next = guessed ? farther(proof["threshold"]) : std::nullopt;
    if (!next) return answer;
    proof["threshold"] = *next;
  }
}

CertificateFolder::CertificateFolder(std::string folder, Verifier verifier)
    : folder_(std::move(folder)), verifier_(std::move(verifier)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw theory::SpecError("--certificates " + folder_ + ": " + error.message());
}

std::vector<std::string> Written::lines() const {
  constexpr std::size_t kNames = 12;  // in a line
  std::vector<std::string> result = refused;
  const auto add = [&](const std::string& what, const Names& all) {
    for (const auto& [said, names] : all) {
      for (std::size_t from = 0; from < names.size(); from += kNames) {
        const std::span<const std::string> some =
            std::span(names).subspan(from, std::min(kNames, names.size() - from));
        result.push_back(what + " " + theory::joined(some, ", ") + ": " + said);
      }
    }
  };
  add("no certificate for", without_proof);
  add("certificates for the values of the parameters only:", at_values);
  return result;
}

std::string CertificateFolder::trouble(Json& json, const theory::Context& context) const {
  if (json.is_null()) return context.budget().is_over() ? "the time limit" : "no rule is seen to prove it";
  const Answer answer = ask(verifier_, json, context);
  if (answer.kind == Answer::Kind::refused) throw Refused(answer.step + "; proof: " + json["proof"].dump());
  if (answer.kind == Answer::Kind::proved) return "";
  const bool inequality = answer.step.starts_with("claim ");  // a formula of the verifier's
  return "verify-certificate does not follow: " + (inequality ? "an inequality of the proof" : answer.step);
}

std::string CertificateFolder::write(std::string name, const Json& json) {
  std::ranges::replace(name, '/', '_');
  const auto numbered = [&](int k) { return name + (k == 1 ? "" : "." + std::to_string(k)) + ".json"; };
  int k = 1;
  while (taken_.contains(numbered(k))) ++k;
  std::string file = numbered(k);
  for (k += json.is_null() ? 0 : 1; std::filesystem::exists(file_inside(folder_, numbered(k))); ++k)
    remove_older(file_inside(folder_, numbered(k)));  // of an earlier run
  if (json.is_null()) return "";
  taken_.insert(file);
  write_file(file_inside(folder_, file), json.dump(1) + "\n");
  ++written_.written;
  return file;
}

// For all values of the parameters, or at those in use, where no more is proved.
std::string CertificateFolder::write_verdict(const std::string& name, const EncodingReport& report,
                                             const theory::Finding& finding, const ReportOptions& options,
                                             const theory::Context& context) {
  ++written_.asked;
  const std::string verdict(theory::name_of(finding.verdict));
  if (finding.verdict == theory::Verdict::undecided) {
    written_.without_proof[verdict].push_back(name);
    return write(name, nullptr);
  }
  try {
    Json json = certificate(report, finding, options, context);
    const std::string why = trouble(json, context);
    if (why.empty()) return write(name, json);
    Json here = options.symbolic.empty() && !context.budget().is_over() && !report.law.parameters.empty()
                    ? certificate_at_values(report, finding, context)
                    : Json(nullptr);
    const bool shown = !here.is_null() && trouble(here, context).empty();
    (shown ? written_.at_values : written_.without_proof)[verdict + "; " + why].push_back(name);
    return write(name, shown ? here : Json(nullptr));
  } catch (const Refused& error) {
    written_.refused.push_back(refusal(name + ": " + verdict, {Answer::Kind::refused, error.what()}));
    return write(name, nullptr);
  }
}

void CertificateFolder::write(EncodingReport& report, const ReportOptions& options,
                              const theory::Context& context) {
  std::string place = report.name;
  if (report.one_head_of_several) {
    if (report.setting.layers > 1) place += ".l" + std::to_string(report.setting.layer);
    place += ".h" + std::to_string(report.setting.head);
  }
  write_numbers(place + ".numbers", report, options, context);
  for (const theory::Finding& finding : report.findings) {
    std::string name = place + "." + std::string(theory::short_name_of(finding.reading->property)) + "." +
                       std::string(finding.reading->name);
    if (finding.quantifier != theory::Quantifier::none)
      name += "." + std::string(theory::name_of(finding.quantifier)) + "-" +
              std::string(theory::quantified(report.law));
    if (finding.content_bound && options.content_bounds.size() > 1)
      name += ".B" + finding.content_bound->str();
    report.certificates.push_back(write_verdict(name, report, finding, options, context));
  }
}

void CertificateFolder::write_numbers(const std::string& name, const EncodingReport& report,
                                      const ReportOptions& options, const theory::Context& context) {
  Json json = number_certificate(report, options, context);
  if (!json.is_null()) {
    ++written_.asked;
    try {
      if (const std::string why = trouble(json, context); !why.empty()) {
        written_.without_proof[why].push_back(name);
        json = nullptr;
      }
    } catch (const Refused& error) {
      written_.refused.push_back(refusal(name, {Answer::Kind::refused, error.what()}));
      json = nullptr;
    }
  }
  write(name, json);
}

}  // namespace gpe::checks
