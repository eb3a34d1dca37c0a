// A model as a whole, for people. Tests: tests/cli/stack.cmake
#include "checks/report/plain_number.h"
#include "checks/report/report_cells.h"
#include "checks/report/text_table.h"
#include "checks/stack/stack.h"

namespace gpe::checks {

using theory::Rational;

namespace {

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string layers_table(const Stack& stack) {
  TextTable table;
  table.add_row({{"layers"},
                 {"encoding"},
                 {"position"},
                 {"base"},
                 {"window"},
                 {"temperature"},
                 {"sink"},
                 {"heads"},
                 {"key heads"},
                 {"dimension"}});
  for (const StackKind& kind : stack.kinds) {
    const ConfigEncoding& encoding = kind.encoding;
    std::string window = kind.window ? std::to_string(*kind.window) : "none";
    if (encoding.chunked) window = "chunks of " + window;
    table.add_row({{ranges_of(encoding.layers)},
                   {encoding.name},
                   {kind.position},
                   {or_none(kind.base)},
                   {window},
                   {kind.temperature.empty() ? "none" : "by length"},
                   {kind.sink ? "yes" : "none"},
                   {std::to_string(encoding.heads)},
                   {std::to_string(encoding.key_heads)},
                   {std::to_string(encoding.head_dim)}});
  }
  if (!stack.other_layers.empty()) table.add_row({{ranges_of(stack.other_layers)}, {"no softmax attention"}});
  std::string text = table.text(false);
  for (const StackKind& kind : stack.kinds) {
    const ConfigEncoding& encoding = kind.encoding;
    if (!encoding.caveat.empty()) text += "  " + encoding.name + ": " + encoding.caveat + "\n";
  }
  return text;
}

std::string dependence_text(const Stack& stack, const StackOptions& options) {
  std::string text = "\n  The last output depends on ";
  text += stack.tokens ? "at most " + stack.tokens->str() +
                             " tokens, if nothing but attention mixes tokens (theorem S1)\n"
                       : "every token: " + stack.unbounded_because + "\n";
  for (std::size_t i = 0; i < stack.mass.size(); ++i) {
    const MassBeyond& mass = stack.mass[i];
    if (mass.distance >= Rational(stack.context - 1)) {
      text += "  No bound on the weight of distant tokens (theorem S2): windows that hold all but " +
              options.epsilons[i].str() + " of it reach back " + mass.distance.str() +
              " tokens over all layers, through the whole context\n";
      continue;
    }
    const std::string most = mass.mass.is_zero()
                                 ? "nothing"
                                 : "at most " + number_cell({Finite::yes, Ball(mass.mass, 96), ""}, 4).text;
    text += "  The attention weights of all layers together put " + most + " beyond distance " +
            mass.distance.str() + " (theorem S2; weight is not influence)\n";
  }
  return text;
}

std::string range_text(const EntropyBand& band) {
  if (band.lower.finite != Finite::yes || band.upper.finite != Finite::yes) return "-";
  const DecimalEnds low = decimal_ends(band.lower.value, 5);
  const DecimalEnds high = decimal_ends(band.upper.value, 5);
  return low.lower + " to " + high.upper;
}

// The entropy of one head, or from the least to the most of several.
Cell entropy_cell(const StackKind& kind, const EnclosedNumber& entropy) {
  if (!kind.encoding.by_head || entropy.finite != Finite::yes) return number_cell(entropy, 8);
  return {range_text({entropy, entropy})};
}

std::string entropy_table(const Stack& stack, const StackOptions& options) {
  TextTable table;
  table.add_row({{"entropy of a head (nats)"},
                 {"position alone, as L grows"},
                 {"in the context"},
                 {"B = " + options.content_bound.str() + ": any |q||k|/sqrt(d) <= B"}});
  for (const StackKind& kind : stack.kinds) {
    std::string growth = "-";
    if (kind.entropy.finite == Finite::yes) growth = "bounded: " + entropy_cell(kind, kind.entropy).text;
    if (kind.growth) growth = *kind.growth;
    table.add_row(
        {{kind.encoding.name}, {growth}, entropy_cell(kind, kind.entropy_here), {range_text(kind.band)}});
  }
  return "\n" + table.text(false);
}

// With a unit.
std::string bytes_text(Rational bytes) {
  const Rational thousand(1000);
  for (const char* unit : {" bytes", " kB", " MB", " GB", " TB"}) {
    if (bytes < thousand || unit == std::string(" TB"))
      return bytes.is_integer() ? bytes.str() + unit : decimal_above(bytes, 3) + unit;
    bytes = bytes / thousand;
  }
  return "";
}

std::string binary_text(const Rational& bytes) {
  return " (" + decimal_above(bytes / Rational(std::int64_t{1} << 30), 4) + " GiB)";
}

std::string cache_table(const Stack& stack, const StackOptions& options) {
  std::string text = "\n  A context of " + std::to_string(stack.context) + " tokens";
  if (stack.stated_context != 0 && stack.stated_context != stack.context)
    text += "; the config states " + std::to_string(stack.stated_context);
  TextTable table;
  std::vector<Cell> head = {{"encoding"}};
  for (const Rational& epsilon : options.epsilons)
    head.push_back(
        {"keys with all but " + epsilon.str() + " of the weight (B = " + options.content_bound.str() + ")"});
  head.insert(head.end(),
              {{"keys to cache"}, {"numbers per token and layer"}, {"cache in " + options.format.name}});
  table.add_row(head);
  for (const StackKind& kind : stack.kinds) {
    std::vector<Cell> row = {{kind.encoding.name}};
    for (const BigCount& window : kind.windows) row.push_back(count_cell(window));
    row.insert(
        row.end(),
        {{std::to_string(kind.keys)}, {std::to_string(kind.encoding.cached)}, {bytes_text(kind.bytes)}});
    table.add_row(row);
  }
  text += "\n" + table.text(false) + "  all layers" +
          (options.sequences > 1 ? " of " + std::to_string(options.sequences) + " sequences" : "") + ": " +
          bytes_text(stack.cached) + binary_text(stack.cached) + "; if no layer had a window, " +
          bytes_text(stack.cached_without) + binary_text(stack.cached_without) + "\n";
  for (const StackKind& kind : stack.kinds) {
    if (kind.window && stack.stated_context != 0 && *kind.window > stack.stated_context)
      text += "  the window of " + kind.encoding.name + " (" + std::to_string(*kind.window) +
              " keys) is longer than the context that the config states (" +
              std::to_string(stack.stated_context) + ")\n";
  }
  return text;
}

std::string formats_table(const Stack& stack) {
  TextTable table;
  table.add_row({{"first n rounded like n + 1 in"}, {"bf16"}, {"fp16"}, {"fp32"}});
  std::vector<Cell> positions = {{"positions"}};
  for (const DtypeLimit& limit : stack.kinds.front().formats)
    positions.push_back({Rational(2).pow(limit.format.precision).str()});
  table.add_row(positions);
  const auto row = [&](const StackKind& kind, const std::string& what, BigCount DtypeLimit::*member) {
    std::vector<Cell> cells = {{kind.encoding.name + ": " + what}};
    for (const DtypeLimit& limit : kind.formats) cells.push_back(count_cell(limit.*member));
    table.add_row(cells);
  };
  for (const StackKind& kind : stack.kinds) {
    if (kind.position == "RoPE") row(kind, "angles", &DtypeLimit::angle);
    if (kind.position == "slopes" || kind.position == "buckets") row(kind, "b(n)", &DtypeLimit::bias);
  }
  return "\n" + table.text(false);
}

std::string least_text(const LeastBase& base) {
  if (base.any) return "every base suffices";
  const std::string below = decimal_below(base.below, 7);
  if (base.suffices.is_zero())
    return "none up to " + below + " suffices; above not settled" + (base.in_time ? "" : " in time");
  return "none up to " + below + " suffices, " + decimal_above(base.suffices, 7) + " does";
}

std::string base_table(const Stack& stack) {
  TextTable table;
  table.add_row({{"sum over j of cos(n theta_j)"},
                 {"base"},
                 {"negative from n ="},
                 {"for n up to"},
                 {"base of plain RoPE"}});
  bool any = false;
  for (const StackKind& kind : stack.kinds) {
    if (!kind.least_base) continue;
    any = true;
    const BigCount& n = kind.negative;
    table.add_row({{kind.encoding.name},
                   {or_none(kind.base)},
                   n.kind == BigCount::Kind::unbounded ? Cell{"nowhere"} : count_cell(n),
                   {std::to_string(kind.farthest)},
                   {least_text(*kind.least_base)}});
  }
  return any ? "\n" + table.text(false) +
                   "  (needed to tell similar keys from random ones, arXiv 2405.14591; not claimed to be "
                   "enough)\n"
             : "";
}

}  // namespace

std::string stack_text(const Stack& stack, const StackOptions& options) {
  return stack.model + ": " + std::to_string(stack.all_layers) + " layers\n\n" + layers_table(stack) +
         dependence_text(stack, options) + entropy_table(stack, options) + cache_table(stack, options) +
         formats_table(stack) + base_table(stack);
}

}  // namespace gpe::checks
