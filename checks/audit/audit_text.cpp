// The audit for a terminal. Tests: tests/cli/audit.cmake
#include <algorithm>
#include <array>

#include "checks/audit/audit_output.h"
#include "checks/report/text_table.h"

namespace gpe::checks {

namespace {

constexpr std::size_t kWidth = 96;

Tone tone_of(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::confirmed:
      return Tone::good;
    case AuditVerdict::refuted:
      return Tone::bad;
    case AuditVerdict::depends:
      return Tone::mixed;
    case AuditVerdict::undecided:
      return Tone::unsure;
  }
  return Tone::plain;
}

std::string joined(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) {
    if (!text.empty()) text += ", ";
    text += value.starts_with(name + "(n) = ") ? value : name + " = " + value;
  }
  return text;
}

// The first line of what shows the verdict.
std::string short_witness(const ReadingResult& reading) {
  std::string text;
  if (!reading.region.empty() && reading.verdict == AuditVerdict::depends) text = reading.region;
  if (text.empty() && reading.witness) {
    text = joined(reading.witness->point);
    if (text.empty()) text = joined(reading.witness->values);
  }
  if (reading.reason.starts_with("vacuous") || reading.reason.starts_with("ill-posed"))
    text = reading.reason.substr(0, reading.reason.find(';'));
  if (text.empty()) text = reading.reason;
  return text;
}

std::string clipped(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::string result;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U && width_of(result) + 2 > width) break;
    result += c;
  }
  return result + "…";
}

std::size_t certificate_width(const AuditResult& result) {
  std::size_t width = std::string("certificate").size();
  for (const ClaimResult& claim : result.claims) {
    for (const auto* readings : {&claim.readings, &claim.repairs}) {
      for (const ReadingResult& one : *readings) width = std::max(width, one.certificate.size());
    }
  }
  return width;
}

// Columns of the table, so that its lines fit kWidth.
constexpr std::size_t kReadingWidth = 30;
std::size_t shown_width(const AuditResult& result) {
  std::size_t id = std::string("  repair").size();
  for (const ClaimResult& claim : result.claims) id = std::max(id, claim.id.size());
  const std::size_t others = id + kReadingWidth + std::string("confirmed").size() + 4 * 2 +
                             (has_certificates(result) ? 2 + certificate_width(result) : 0);
  return others + 12 < kWidth ? kWidth - others : 12;
}

void add_readings(TextTable& table, const std::string& id, const std::vector<ReadingResult>& readings,
                  std::size_t shown, bool certificates) {
  for (const ReadingResult& reading : readings) {
    const bool first = &reading == readings.data();
    std::vector<Cell> cells = {{first ? id : "", Tone::strong},
                               {clipped((reading.negated ? "not: " : "") + reading.name, kReadingWidth)},
                               {std::string(name_of(reading.verdict)), tone_of(reading.verdict)}};
    if (certificates) cells.push_back({reading.certificate});
    cells.push_back({clipped(short_witness(reading), shown), Tone::faint});
    table.add_row(std::move(cells));
  }
}

void explain_readings(std::string& text, const std::vector<ReadingResult>& readings, bool color) {
  const auto line = [&](const std::string& what) { text += "    " + wrapped(what, kWidth - 4, 6) + "\n"; };
  for (const ReadingResult& reading : readings) {
    text += "  " + toned(std::string(name_of(reading.verdict)), tone_of(reading.verdict), color) + "  " +
            reading.name + "\n";
    if (!reading.says.empty()) line(reading.says);
    line(reading.formula);
    if (!reading.region.empty()) line(theory::holds_text(reading.region));
    if (reading.witness && !reading.witness->point.empty()) line("at " + joined(reading.witness->point));
    if (reading.witness && !reading.witness->values.empty())
      line("computed: " + joined(reading.witness->values));
    if (!reading.reason.empty()) line("because: " + reading.reason);
    if (!reading.certificate.empty()) line("certificate: " + reading.certificate);
    if (!reading.uncertified.empty()) line(uncertified_text(reading));
  }
}

}  // namespace

std::string uncertified_text(const ReadingResult& reading) {
  std::string text = "no certificate covers: ";
  for (const std::string& one : reading.uncertified)
    text += (&one == reading.uncertified.data() ? "" : "; ") + one;
  return text;
}

std::string witness_text(const ReadingResult& reading) {
  if (!reading.witness) return "";
  const std::string point = joined(reading.witness->point);
  const std::string values = joined(reading.witness->values);
  return point.empty() || values.empty() ? point + values : point + ": " + values;
}

bool has_certificates(const AuditResult& result) {
  return std::ranges::any_of(result.claims, [](const ClaimResult& claim) {
    const auto named = [](const ReadingResult& one) { return !one.certificate.empty(); };
    return std::ranges::any_of(claim.readings, named) || std::ranges::any_of(claim.repairs, named);
  });
}

std::string audit_counts(const AuditResult& result) {
  std::array<int, 4> count{};
  for (const ClaimResult& claim : result.claims) {
    for (const ReadingResult& reading : claim.readings) ++count.at(static_cast<std::size_t>(reading.verdict));
  }
  std::string text;
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count.at(i) == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(count.at(i)) + " " + std::string(name_of(static_cast<AuditVerdict>(i)));
  }
  return text;
}

std::string audit_text(const AuditResult& result, bool color) {
  std::string text = toned(result.title, Tone::strong, color) + "\n";
  if (!result.reference.empty()) text += "  " + wrapped(result.reference, kWidth - 2, 2) + "\n";
  text += "\n";
  TextTable table;
  const bool certificates = has_certificates(result);
  std::vector<Cell> head = {{"claim", Tone::strong}, {"reading", Tone::strong}, {"verdict", Tone::strong}};
  if (certificates) head.push_back({"certificate", Tone::strong});
  head.push_back({"shown by", Tone::strong});
  table.add_row(std::move(head));
  const std::size_t shown = shown_width(result);
  for (const ClaimResult& claim : result.claims) {
    add_readings(table, claim.id, claim.readings, shown, certificates);
    add_readings(table, "  repair", claim.repairs, shown, certificates);
  }
  text += table.text(color) + "\n";
  text += std::to_string(result.claims.size()) + " claims; readings: " + audit_counts(result) + "\n";
  return text;
}

std::string audit_explanation(const AuditResult& result, bool color) {
  std::string text;
  for (const ClaimResult& claim : result.claims) {
    if (&claim != result.claims.data()) text += "\n";
    text += toned(claim.id, Tone::strong, color) + (claim.where.empty() ? "" : "  " + claim.where) + "\n";
    if (!claim.source.empty()) text += "  " + wrapped(claim.source, kWidth - 2, 2) + "\n";
    text += "  " + wrapped(claim.statement, kWidth - 2, 2) + "\n";
    explain_readings(text, claim.readings, color);
    if (!claim.repair.empty()) text += "  " + wrapped("repair: " + claim.repair, kWidth - 2, 4) + "\n";
    explain_readings(text, claim.repairs, color);
  }
  return text;
}

}  // namespace gpe::checks
