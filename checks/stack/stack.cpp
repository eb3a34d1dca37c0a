#include "checks/stack/stack.h"

#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/content/content_numbers.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;
using theory::ScoreFunction;

namespace {

constexpr long kBits = 96;

// θ_j by block, at the query with this index where angles depend on it.
std::vector<Ball> frequencies_of(const ScoreFunction& law, std::int64_t length) {
  std::vector<Ball> result;
  for (int j = 0; j < law.head_dim / 2; ++j) {
    const Expr angle =
        substitute(substitute(law.rotation.angle, "j", Expr(j)), theory::kLength, Expr(length));
    result.push_back(evaluate(substitute(angle, theory::kIndex, Expr(1)), {}, kBits));
  }
  return result;
}

void describe(StackKind& kind, const theory::Encoding& encoding, const ScoreFunction& law) {
  kind.window = law.window;
  kind.sink = law.sink.has_value();
  kind.by_length = law.depends_on_length();
  if (law.gain.mentions(theory::kLength)) kind.temperature = to_text(encoding.gain);
  kind.position = law.turns() ? "RoPE" : "none";
  if (!law.turns() && law.bias.mentions(theory::kIndex))
    kind.position = to_text(encoding.bias).find("values(") != std::string::npos ? "buckets" : "slopes";
  for (const theory::ParameterValue& parameter : law.parameters) {
    if (law.turns() && parameter.name == "base") kind.base = to_text(parameter.value);
  }
}

EnclosedNumber entropy_to(const ScoreFunction& law, const Rational& length, const Context& context) {
  const PartialSum sum = enclose_partial_sum(law, length, kStackDigits, context);
  if (!sum.reason.empty()) return {Finite::unknown, Ball::unknown(), sum.reason};
  return {Finite::yes, sum.entropy, ""};
}

// Of several heads the first distance at which one of them meets the limit.
void take_least(BigCount& least, const BigCount& other) {
  const bool is_number = other.kind == BigCount::Kind::number;
  if (least.kind == BigCount::Kind::unknown) return;
  if (other.kind == BigCount::Kind::unknown || (is_number && least.kind != BigCount::Kind::number) ||
      (is_number && other.number < least.number))
    least = other;
}

// Of several heads the widest window.
void take_widest(BigCount& widest, const BigCount& other) {
  if (widest.kind == BigCount::Kind::unknown) return;
  if (other.kind != BigCount::Kind::number || other.number > widest.number) widest = other;
}

// Of several heads an enclosure of all.
void take_all(EnclosedNumber& all, const EnclosedNumber& other) {
  if (all.finite == Finite::unknown) return;
  if (other.finite == Finite::unknown) {
    all = other;
  } else if (all.finite != other.finite) {
    all = {Finite::unknown, Ball::unknown(), "it is finite in some heads only"};
  } else if (all.finite == Finite::yes) {
    all.value = Ball::hull(all.value, other.value, kBits);
  }
}

void measure_entropy(StackKind& kind, const ScoreFunction& law, bool is_first, const Rational& last,
                     const StackOptions& options, const Context& context) {
  const EnclosedNumber limit = enclose_sums(law, kStackDigits, context).entropy;
  const EnclosedNumber here = entropy_to(law, last, context);
  const EntropyBand band = entropy_band(law, options.content_bound, last, kStackDigits, context);
  std::optional<std::string> growth;
  if (limit.finite != Finite::yes)
    growth = GrowthLaw(theory::growth_laws(law, context.question())).entropy_text(4);
  if (is_first) {
    kind.entropy = limit;
    kind.entropy_here = here;
    kind.band = band;
    kind.growth = growth;
    return;
  }
  if (kind.growth != growth) kind.growth.reset();
  take_all(kind.entropy, limit);
  take_all(kind.entropy_here, here);
  take_all(kind.band.lower, band.lower);
  take_all(kind.band.upper, band.upper);
}

// What is asked of every head of one kind of layers.
void measure_head(StackKind& kind, const ScoreFunction& law, bool is_first, const Rational& last,
                  const StackOptions& options, const Context& context) {
  measure_entropy(kind, law, is_first, last, options, context);
  for (std::size_t i = 0; i < options.epsilons.size(); ++i) {
    BigCount beyond = effective_window(law, options.epsilons[i], options.content_bound, last, context);
    if (beyond.kind == BigCount::Kind::number) beyond.number += Rational(1);  // a distance becomes keys
    if (is_first)
      kind.windows.push_back(beyond);
    else
      take_widest(kind.windows[i], beyond);
  }
  std::size_t i = 0;
  for (const char* name : {"bf16", "fp16", "fp32"}) {
    const DtypeLimit limit = dtype_limit(law, float_format("--dtype", name), context);
    if (is_first) {
      kind.formats.push_back(limit);
    } else {
      take_least(kind.formats[i].bias, limit.bias);
      take_least(kind.formats[i].angle, limit.angle);
    }
    ++i;
  }
}

// The rotation is the same in every head.
void measure_rotation(StackKind& kind, const ScoreFunction& law, const Rational& last,
                      const theory::Budget& budget) {
  if (!law.turns()) return;
  const std::int64_t length = *last.to_int64();
  kind.farthest = law.window ? std::min(length, *law.window - 1) : length;
  const std::vector<Ball> frequencies = frequencies_of(law, length);
  kind.negative = first_negative(frequencies, kind.farthest, budget.question());
  const auto turning = static_cast<int>(
      std::ranges::count_if(frequencies, [](const Ball& frequency) { return !frequency.surely_zero(); }));
  kind.least_base = least_base(turning, law.head_dim / 2 - turning, kind.farthest, budget.question());
}

Mixing mixing_of(const StackKind& kind) {
  if (!kind.window) return {};
  return {kind.encoding.chunked ? Mixing::Kind::chunk : Mixing::Kind::window, *kind.window};
}

// What all layers see together.
void put_together(Stack& stack, const StackOptions& options) {
  std::vector<Mixing> mixing(static_cast<std::size_t>(stack.all_layers));
  for (const StackKind& kind : stack.kinds) {
    for (const int layer : kind.encoding.layers)
      mixing[static_cast<std::size_t>(layer - 1)] = mixing_of(kind);
    if (!kind.window) stack.unbounded_because = kind.encoding.name + " has no window";
    if (kind.encoding.mixes_beside)
      stack.unbounded_because = kind.encoding.name + " mixes tokens beside its attention";
  }
  if (!stack.other_layers.empty())
    stack.unbounded_because = "layers without softmax attention mix tokens in their own way";
  if (stack.unbounded_because.empty()) stack.tokens = tokens_seen(mixing);
  const bool mixes_beside =
      std::ranges::any_of(stack.kinds, [](const StackKind& kind) { return kind.encoding.mixes_beside; });
  if (!stack.other_layers.empty() || mixes_beside) return;
  for (std::size_t i = 0; i < options.epsilons.size(); ++i) {
    std::vector<LayerWindow> windows;
    for (const StackKind& kind : stack.kinds) {
      LayerWindow one;
      if (kind.window) {  // nothing at all lies beyond
        one = {Rational(*kind.window - 1), Rational(0)};
      } else if (kind.windows[i].kind == BigCount::Kind::number && !kind.by_length) {
        one = {kind.windows[i].number - Rational(1), options.epsilons[i]};
      } else {
        return;
      }
      windows.insert(windows.end(), kind.encoding.layers.size(), one);
    }
    stack.mass.push_back(mass_beyond(windows));
  }
}

}  // namespace

Stack stack_of(const JsonConfig& config, const StackOptions& options, const Context& context,
               const std::function<void(double)>& progress) {
  const std::vector<ConfigEncoding> encodings = encodings_of_config(config);
  Stack stack;
  stack.model = config.source();
  stack.stated_context = context_of_config(config);
  stack.context = options.context != 0 ? options.context : stack.stated_context;
  if (stack.context == 0)
    throw theory::SpecError("--context: " + config.source() +
                            " states none (max_position_embeddings); expected a number of tokens");
  stack.all_layers = encodings.front().all_layers;
  std::vector<bool> attends(static_cast<std::size_t>(stack.all_layers), false);
  const Rational last(stack.context - 1);
  std::size_t started = 0, heads = 0;
  for (const ConfigEncoding& encoding : encodings) heads += encoding.settings().size();
  for (const ConfigEncoding& encoding : encodings) {
    StackKind kind;
    kind.encoding = encoding;
    const theory::Encoding parsed = encoding.parsed();
    bool is_first = true;
    for (const theory::Setting& setting : encoding.settings()) {
      progress(static_cast<double>(started++) / static_cast<double>(heads));
      const ScoreFunction with_parameters = instantiate(parsed, setting, {}, context);
      const ScoreFunction law = at_values(with_parameters);
      if (is_first) {
        describe(kind, parsed, with_parameters);
        measure_rotation(kind, law, last, context.budget());
      }
      measure_head(kind, law, is_first, last, options, context);
      is_first = false;
    }
    kind.keys = keys_in_pages(stack.context, kind.window, encoding.chunked, options.page);
    const auto layers = static_cast<std::int64_t>(encoding.cached_layers.size());
    const Rational one_key = Rational(layers * options.sequences) * options.format.bytes(encoding.cached);
    kind.bytes = one_key * Rational(kind.keys);
    stack.cached += kind.bytes;
    stack.cached_without += one_key * Rational(keys_in_pages(stack.context, {}, false, options.page));
    for (const int layer : encoding.layers) attends[static_cast<std::size_t>(layer - 1)] = true;
    stack.kinds.push_back(std::move(kind));
  }
  for (int layer = 1; layer <= stack.all_layers; ++layer) {
    if (!attends[static_cast<std::size_t>(layer - 1)]) stack.other_layers.push_back(layer);
  }
  put_together(stack, options);
  return stack;
}

}  // namespace gpe::checks
