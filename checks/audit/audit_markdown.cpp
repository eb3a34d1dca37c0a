// The audit as Markdown. Tests: tests/cli/audit.cmake
#include "checks/audit/audit_output.h"

namespace gpe::checks {

namespace {

std::string cell(const std::string& text) {  // one line, bars and angle brackets kept as characters
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += ' ';
    } else if (c == '|' || c == '<' || c == '*' || c == '_' || c == '\\') {
      result += '\\';
      result += c;
    } else {
      result += c;
    }
  }
  return result;
}

// Backquoted; bars would end the cell.
std::string code_cell(const std::string& text) {
  if (text.empty()) return "";
  std::string result = "`";
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '`' ? '\'' : c;
  }
  return result + "`";
}

void add_rows(std::string& text, const std::string& id, const std::vector<ReadingResult>& readings,
              bool certificates) {
  for (const ReadingResult& reading : readings) {
    std::string shown = code_cell(witness_text(reading));
    if (shown.empty() && !reading.region.empty()) shown = code_cell(reading.region);
    text += "| " + cell(id) + " | " + cell((reading.negated ? "not: " : "") + reading.name) + " | " +
            code_cell(reading.formula) + " | **" + std::string(name_of(reading.verdict)) + "** | " + shown +
            " | " + cell(reading.reason) + " |";
    if (certificates) {
      text += reading.certificate.empty() ? " " : " `" + reading.certificate + "` ";
      if (!reading.uncertified.empty()) text += cell(uncertified_text(reading)) + " ";
      text += "|";
    }
    text += "\n";
  }
}

}  // namespace

std::string audit_markdown(const AuditResult& result) {
  std::string text = "# " + cell(result.title) + "\n\n";
  if (!result.reference.empty()) text += cell(result.reference) + "\n\n";
  const bool certificates = has_certificates(result);
  text += std::to_string(result.claims.size()) + " claims; readings: " + audit_counts(result) + ".\n";
  for (const ClaimResult& claim : result.claims) {
    text += "\n## " + cell(claim.id) + (claim.where.empty() ? "" : ": " + cell(claim.where)) + "\n\n";
    text += "> " + cell(claim.statement) + "\n\n";
    if (!claim.source.empty()) text += cell(claim.source) + "\n\n";
    text += std::string("| | reading | formula | verdict | at | because |") +
            (certificates ? " certificate |" : "") + "\n|---|---|---|---|---|---|" +
            (certificates ? "---|" : "") + "\n";
    add_rows(text, claim.id, claim.readings, certificates);
    add_rows(text, "repair", claim.repairs, certificates);
    if (!claim.repair.empty()) text += "\nRepair: " + cell(claim.repair) + "\n";
  }
  return text;
}

}  // namespace gpe::checks
