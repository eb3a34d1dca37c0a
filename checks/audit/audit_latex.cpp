// The audit as a LaTeX document. Tests: tests/cli/audit.cmake
#include <algorithm>

#include "checks/audit/audit_output.h"
#include "checks/audit/formula_latex.h"
#include "checks/cli/version.h"
#include "theory/expression/expr_parse.h"

namespace gpe::checks {

namespace {

constexpr const char* kPreamble = R"(\documentclass[10pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,margin=25mm,top=22mm]{geometry}
\usepackage{amsmath}
\usepackage{color}
\usepackage{longtable}
\usepackage{array}
\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{}
\IfFileExists{microtype.sty}{\usepackage{microtype}}{}
\usepackage[hidelinks]{hyperref}
\definecolor{confirmed}{rgb}{0.11,0.45,0.24}
\definecolor{refuted}{rgb}{0.70,0.13,0.13}
\definecolor{depends}{rgb}{0.72,0.43,0.00}
\definecolor{undecided}{rgb}{0.42,0.42,0.46}
\definecolor{quiet}{rgb}{0.38,0.38,0.42}
\newcommand{\verdict}[1]{\textcolor{#1}{\textsf{\textbf{\small #1}}}}
\newcommand{\claimfn}[1]{\text{\textsf{#1}}}
\newcommand{\claimproperty}[2]{\mathsf{#1}_{\text{\textsf{\scriptsize #2}}}}
\newcommand{\because}[1]{\par\nopagebreak{\footnotesize\textcolor{quiet}{#1}}}
\newcommand{\shown}[2]{\par\nopagebreak{\small\textsf{#1}\enspace #2}}
\newcommand{\claim}[4]{\par\vspace{13pt plus 4pt}\pagebreak[2]\noindent\hypertarget{#1}{}%
  \textbf{\large #2}\enspace{\small #3}\hfill\verdict{#4}\par\nopagebreak\vspace{-7pt}\noindent\rule{\textwidth}{0.3pt}\par\nopagebreak}
\newenvironment{readings}{\begin{list}{}{\leftmargin=25mm\labelwidth=22mm\labelsep=3mm\itemsep=4pt\parsep=1pt\topsep=4pt%
  \renewcommand{\makelabel}[1]{##1\hfill}\raggedright}}{\end{list}}
\setlength{\parindent}{0pt}
\makeatletter\@beginparpenalty=10000\makeatother
\clubpenalty=10000\widowpenalty=10000\interlinepenalty=200
\emergencystretch=2em
\begin{document}
)";

// "[f(n)] q'k/sqrt(d) + (b(n))", as describe_member() has it.
std::optional<std::string> with_content(const std::string& value, const theory::NameScope& scope) {
  const std::string content = "] q'k/sqrt(d)";
  const std::size_t at = value.find(content);
  if (!value.starts_with("[") || at == std::string::npos) return std::nullopt;
  const std::string bias = value.substr(at + content.size());
  const auto latex = [&](const std::string& text) {
    return expression_latex(theory::parse_expression(text, scope));
  };
  std::string result = latex(value.substr(1, at - 1)) + "\\, q^{\\top}k/\\sqrt{d}";
  if (bias.starts_with(" + (")) result += " + (" + latex(bias.substr(4, bias.size() - 5)) + ")";
  return result;
}

// "A(n) = -log(n + 2)" in mathematics mode where it parses, else in typewriter type.
std::string value_latex(const std::string& value) {
  theory::NameScope scope;
  scope.names = {"n"};
  if (value.find_first_not_of("0123456789.-e+") == std::string::npos) {
    const std::size_t e = value.find('e');
    if (e == std::string::npos) return "$" + value + "$";
    return "$" + value.substr(0, e) + "\\cdot 10^{" + value.substr(e + 1) + "}$";
  }
  const bool score = value.starts_with("A(n) = ");
  const std::string prefix = score ? "A(n) = " : "";
  if (theory::Rational::parse(value)) return "$" + value + "$";
  if (const auto content = with_content(value.substr(prefix.size()), scope))
    return "$" + prefix + *content + "$";
  try {
    return "$" + prefix + expression_latex(theory::parse_expression(value.substr(prefix.size()), scope)) +
           "$";
  } catch (const theory::ParseError&) {
    return score ? code_latex(value) : escaped_latex(value);
  }
}

// The quantity of the formula that is written so.
const ClaimQuantity* quantity_called(const std::string& text, const ClaimTerm& term) {
  for (const ClaimQuantity& one : term.quantities) {
    if (one.text == text) return &one;
    for (const ClaimTerm& inner : one.terms) {
      if (const ClaimQuantity* found = quantity_called(text, inner)) return found;
    }
  }
  return nullptr;
}
const ClaimQuantity* quantity_called(const std::string& text, const Formula& formula) {
  for (const std::vector<ClaimTerm>* list : {&formula.terms, &formula.quantity.terms}) {
    for (const ClaimTerm& term : *list) {
      if (const ClaimQuantity* found = quantity_called(text, term)) return found;
    }
  }
  for (const Formula& part : formula.parts) {
    if (const ClaimQuantity* found = quantity_called(text, part)) return found;
  }
  return nullptr;
}

std::string name_in_latex(const std::string& name, const Formula& formula) {
  if (const ClaimQuantity* quantity = quantity_called(name, formula))
    return "$" + quantity_latex(*quantity) + "$";
  theory::NameScope scope;
  scope.names = {name};
  try {
    return "$" + expression_latex(theory::parse_expression(name, scope)) + "$";
  } catch (const theory::ParseError&) {
    return code_latex(name);
  }
}

std::string pairs_latex(const std::vector<std::pair<std::string, std::string>>& pairs,
                        const Formula& formula) {
  std::string text;
  for (const auto& [name, value] : pairs) {
    if (!text.empty()) text += ", ";
    if (!value.starts_with(name + "(n) = ")) text += name_in_latex(name, formula) + " = ";
    text += value_latex(value);
  }
  return text;
}

// Whether the reason is not just the region or the values again.
bool says_more(const ReadingResult& reading) {
  if (reading.reason.empty() ||
      (!reading.region.empty() && reading.reason == theory::holds_text(reading.region)))
    return false;
  if (!reading.witness) return true;
  std::string rest = reading.reason;
  for (const auto& [name, value] : reading.witness->values) {
    const std::string again = name + " = " + value;
    if (const std::size_t at = rest.find(again); at != std::string::npos) rest.erase(at, again.size());
  }
  return rest.find_first_not_of(" ,;") != std::string::npos;
}

void add_readings(std::string& text, const std::vector<ReadingResult>& readings) {
  if (readings.empty()) return;
  text += "\\begin{readings}\n";
  for (const ReadingResult& reading : readings) {
    text += "\\item[\\verdict{" + std::string(name_of(reading.verdict)) + "}] \\textbf{" +
            prose_latex(reading.name) + "}";
    if (reading.negated) text += " (the opposite is claimed)";
    text += "\\par\\nopagebreak\n";
    if (!reading.says.empty()) text += prose_latex(reading.says) + "\\par\\nopagebreak\n";
    text += "{\\small $" + formula_latex(reading.tree) + "$}\n";
    if (!reading.region.empty())
      text += "\\shown{region}{" + prose_latex(theory::holds_text(reading.region)) + "}\n";
    const bool against = reading.verdict == AuditVerdict::refuted;
    if (reading.witness && !reading.witness->point.empty())
      text += std::string("\\shown{") + (against ? "counterexample" : "example") + "}{" +
              pairs_latex(reading.witness->point, reading.tree) + "}\n";
    if (reading.witness && !reading.witness->values.empty())
      text += "\\shown{computed}{" + pairs_latex(reading.witness->values, reading.tree) + "}\n";
    if (says_more(reading)) text += "\\because{" + prose_latex(reading.reason) + "}\n";
    if (!reading.certificate.empty())
      text += "\\shown{certificate}{" + code_latex(reading.certificate) + "}\n";
    if (!reading.certificate.empty() && !reading.uncertified.empty())
      text += "\\because{" + prose_latex(uncertified_text(reading)) + "}\n";
  }
  text += "\\end{readings}\n";
}

std::string summary_latex(const AuditResult& result) {
  std::size_t longest = 6;
  for (const ClaimResult& claim : result.claims) longest = std::max(longest, claim.id.size());
  const std::size_t names = std::min<std::size_t>(3 + 7 * longest / 4, 50);  // in mm
  std::string text =
      "\\newcolumntype{R}[1]{>{\\raggedright\\arraybackslash}p{#1}}\n"
      "\\begin{longtable}{@{}R{" +
      std::to_string(names) + "mm}R{" + std::to_string(99 - names) +
      "mm}R{52mm}@{}}\n"
      "\\textbf{Claim} & & \\textbf{Readings}\\\\\\hline\\endhead\n";
  for (const ClaimResult& claim : result.claims) {
    std::string readings;
    for (const AuditVerdict verdict :
         {AuditVerdict::confirmed, AuditVerdict::refuted, AuditVerdict::depends, AuditVerdict::undecided}) {
      int count = 0;
      for (const ReadingResult& one : claim.readings) count += one.verdict == verdict ? 1 : 0;
      if (count == 0) continue;
      const bool all = count == static_cast<int>(claim.readings.size());
      readings += (readings.empty() ? "" : ", ") + (all ? "" : std::to_string(count) + "~") + "\\verdict{" +
                  std::string(name_of(verdict)) + "}";
    }
    text += "\\hyperlink{" + claim.id + "}{" + escaped_latex(claim.id) + "} & {\\small " +
            prose_latex(claim.statement) + "} & " + readings + "\\\\[2pt]\n";
  }
  return text + "\\end{longtable}\n";
}

}  // namespace

std::string audit_latex(const AuditResult& result) {
  std::string text = kPreamble;
  text += "{\\LARGE\\bfseries\\raggedright An audit of claims\\par}\\vspace{4pt}\n{\\large\\raggedright " +
          prose_latex(result.title) + "\\par}\\vspace{4pt}\n{\\small\\raggedright\\textcolor{quiet}{" +
          prose_latex(result.reference) + " Report of \\texttt{audit-claims} " + escaped_latex(kVersion) +
          ".}\\par}\\vspace{10pt}\n\n";
  text +=
      "Every claim is written as a formula and settled by computation. \\verdict{confirmed}: proved, for "
      "every member of the "
      "families named and every value left open. \\verdict{refuted}: shown false, by a counterexample that "
      "was evaluated exactly or by "
      "enclosures. \\verdict{depends}: true for a region of parameters, which is given, or for some of the "
      "readings. "
      "\\verdict{undecided}: neither, with what is missing. Numbers are correctly rounded from proved "
      "enclosures; properties carry "
      "their reading as an index: \\textsf{cn} convergent normalization, \\textsf{eb} entropy boundedness, "
      "\\textsf{ldcp} "
      "long-distance correlation, \\textsf{gps} gradient positional sensitivity. ";
  if (has_certificates(result))
    text +=
        "A \\textsf{certificate} is a file that \\texttt{verify-certificate} proves again, without the "
        "engine; "
        "what it does not cover is named. Readings without one rest on arithmetic that anybody can repeat, "
        "on "
        "theorems about orders, or on numbers for which there is no format of certificates. ";
  text += "Readings: " + audit_counts(result) + ".\n\n";
  text += summary_latex(result);
  for (const ClaimResult& claim : result.claims) {
    text += "\n\\claim{" + claim.id + "}{" + escaped_latex(claim.id) + "}{" + prose_latex(claim.where) +
            "}{" + std::string(name_of(claim.overall())) + "}\n";
    text += "\\textit{" + prose_latex(claim.statement) + "}\\par\\nopagebreak\n";
    if (!claim.source.empty())
      text += "{\\small\\textcolor{quiet}{" + prose_latex(claim.source) + "}}\\par\\nopagebreak\n";
    add_readings(text, claim.readings);
    if (!claim.repair.empty())
      text += "\\textbf{Repair.} " + prose_latex(claim.repair) + "\\par\\nopagebreak\n";
    add_readings(text, claim.repairs);
  }
  return text + "\\end{document}\n";
}

}  // namespace gpe::checks
