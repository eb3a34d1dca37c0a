// A model as a whole: its layers, what they see together, and what a context of so many tokens asks for.
// Tests: tests/cli/stack.cmake
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checks/configs/config_encoding.h"
#include "checks/content/dtype_limit.h"
#include "checks/report/report.h"
#include "checks/stack/cache_size.h"
#include "checks/stack/cosine_sum.h"
#include "checks/stack/dependence.h"

namespace gpe::checks {

struct StackOptions {
  std::int64_t context = 0;  ///< tokens; 0: what the config states
  theory::Rational content_bound = 1;
  std::vector<theory::Rational> epsilons;
  CacheFormat format;
  std::int64_t sequences = 1;  ///< of this context, each with a cache of its own
  std::int64_t page = 1;       ///< keys that an engine gives out at once
};

/// One kind of layers.
struct StackKind {
  ConfigEncoding encoding;
  std::string position;     ///< "RoPE", "slopes", "buckets", "none"
  std::string base;         ///< of the rotation; empty without one
  std::string temperature;  ///< the gain, where it mentions L
  std::optional<std::int64_t> window;
  bool sink = false;
  bool by_length = false;  ///< its scores depend on L: the windows are those of the last query alone

  std::optional<std::string>
      growth;              ///< of H_L without content, as an expression in L; nothing where it stays bounded
  EnclosedNumber entropy;  ///< its limit without content; here and below an enclosure of those of all heads
  EnclosedNumber entropy_here;  ///< in the context
  EntropyBand band;             ///< in the context, over contents within the bound

  std::vector<BigCount> windows;  ///< keys beyond which lies at most epsilon, in the context: one per epsilon
  std::vector<DtypeLimit> formats;  ///< bf16, fp16, fp32; of several heads the least
  std::int64_t farthest = 0;        ///< the largest distance that is seen in the context
  BigCount negative;                ///< least n with Σ cos n θ_j < 0; unbounded: none up to farthest
  std::optional<LeastBase> least_base;
  std::int64_t keys = 0;   ///< to cache in the context
  theory::Rational bytes;  ///< of these keys in its layers, of all sequences
};

constexpr int kStackDigits = 8;  ///< of its numbers

struct Stack {
  std::string model;
  std::int64_t stated_context = 0;
  std::int64_t context = 0;
  std::vector<StackKind> kinds;
  int all_layers = 0;
  std::vector<int> other_layers;           ///< no softmax attention
  std::optional<theory::Rational> tokens;  ///< that the last output depends on at most
  std::string unbounded_because;
  std::vector<MassBeyond> mass;     ///< one per epsilon; empty where a layer has no certified window
  theory::Rational cached;          ///< bytes of all sequences, with the windows
  theory::Rational cached_without;  ///< if every layer kept all keys
};

/// @param progress  before each head, with the part of them that is done
/// @throws theory::SpecError  as encodings_of_config; no context given and none stated
Stack stack_of(
    const JsonConfig& config, const StackOptions& options, const theory::Context& context,
    const std::function<void(double)>& progress = [](double) {});

std::string stack_text(const Stack& stack, const StackOptions& options);
std::string stack_json(const Stack& stack, const StackOptions& options);

}  // namespace gpe::checks
