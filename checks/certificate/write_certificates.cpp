#include "checks/certificate/write_certificates.h"

#include <algorithm>
#include <filesystem>

#include "checks/certificate/certificate.h"
#include "checks/certificate/number_certificate.h"
#include "checks/certificate/proof_json.h"
#include "checks/certificate/proof_search.h"
#include "checks/program/file_inside.h"
#include "checks/program/write_file.h"
#include "theory/expression/spec_error.h"

namespace gpe::checks {

namespace {

// The far threshold after this one; nothing when it is the last, or none of them.
std::optional<Json> farther(const Json& threshold) {
  const std::vector<Threshold> all = far_thresholds();
  auto at = std::ranges::find(all, threshold, threshold_json);
  return at == all.end() || ++at == all.end() ? std::nullopt : std::optional(threshold_json(*at));
}

}  // namespace

std::string refusal(const std::string& name, const Answer& answer) {
  return "error: the certificate that this program made of " + name +
         " is refused by its own verifier, and not written: " + answer.step;
}

Answer ask(const Verifier& verifier, Json& certificate) {
  for (;;) {
    Answer answer = verifier(certificate.dump(1) + "\n");
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

std::string CertificateFolder::without(std::string name) {
  std::ranges::replace(name, '/', '_');
  if (const std::string file = name + ".json"; !taken_.contains(file))
    remove_older(file_inside(folder_, file));
  return "";
}

// The name of the file; none where there is no certificate.
std::string CertificateFolder::write(std::string name, Json json, const std::string& what,
                                     const theory::Context& context) {
  if (json.is_null()) {
    const bool open = what == theory::name_of(theory::Verdict::undecided);
    const std::string why = context.budget().is_over() ? "; the time limit" : "; no rule is seen to prove it";
    missing_.without_proof.push_back(name + ": " + what + (open ? "" : why));
    return without(name);
  }
  if (const Answer answer = ask(verifier_, json); answer.kind != Answer::Kind::proved) {
    const std::string why = answer.step + "; proof: " + json["proof"].dump();
    if (answer.kind == Answer::Kind::not_followed)
      missing_.without_proof.push_back(name + ": " + what + "; verify-certificate does not follow: " + why);
    else
      missing_.refused.push_back(refusal(name + ": " + what, {answer.kind, why}));
    return without(name);
  }
  std::ranges::replace(name, '/', '_');
  std::string file = name + ".json";
  for (int k = 2; !taken_.insert(file).second; ++k) file = name + "." + std::to_string(k) + ".json";
  write_file(file_inside(folder_, file), json.dump(1) + "\n");
  return file;
}

void CertificateFolder::write(EncodingReport& report, const ReportOptions& options,
                              const theory::Context& context) {
  std::string place = report.name;
  if (report.one_head_of_several) {
    if (report.setting.layers > 1) place += ".l" + std::to_string(report.setting.layer);
    place += ".h" + std::to_string(report.setting.head);
  }
  if (const Json json = number_certificate(report, options, context); !json.is_null())
    write(place + ".numbers", json, "numbers", context);
  else
    without(place + ".numbers");
  for (const theory::Finding& finding : report.findings) {
    std::string name = place + "." + std::string(theory::short_name_of(finding.reading->property)) + "." +
                       std::string(finding.reading->name);
    if (finding.quantifier != theory::Quantifier::none)
      name += "." + std::string(theory::name_of(finding.quantifier)) + "-" +
              std::string(theory::quantified(report.law));
    if (finding.content_bound && options.content_bounds.size() > 1)
      name += ".B" + finding.content_bound->str();
    report.certificates.push_back(write(name, certificate(report, finding, options, context),
                                        std::string(theory::name_of(finding.verdict)), context));
  }
}

}  // namespace gpe::checks
