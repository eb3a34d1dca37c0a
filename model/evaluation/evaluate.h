// How well a model predicts text, by the number of tokens it has read: one pass over each window gives every
// shorter length too, as a token's loss depends on the tokens before it alone (L in an encoding is the index
// of the query, not the length of the window).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/data/answer_key.h"
#include "model/data/bootstrap.h"
#include "model/data/evaluation_windows.h"
#include "model/gpt/transformer.h"

namespace gpe::model {

/// A mean loss in nats per token; its exponential is the perplexity.
struct MeanLoss {
  double loss = 0;
  std::optional<ConfidenceInterval> interval;  ///< at 95 %, over windows; none for a single one
};

/// Two definitions of the perplexity at a length T.
struct LengthResult {
  std::int64_t length = 0;  ///< T, in tokens
  MeanLoss whole;           ///< over all tokens of a window of T
  MeanLoss far;             ///< over its second half: tokens that have T/2 … T - 1 before them
  /// The mean of each window over its T tokens, in the order of the file: two models are compared by window.
  std::vector<double> by_window;
};

struct Series {
  /// "documents": windows begin and end in one document; "packed windows": documents joined by end tokens;
  /// "every token"
  std::string over;
  std::size_t windows = 0;
  std::vector<LengthResult> lengths;
};

/// The mean over all clusters, and its interval; resamples are the same in every run.
MeanLoss mean_of(const std::vector<Cluster>& clusters);

/// Tokens of a file at once, as many rows as come to about so many.
inline constexpr std::int64_t kTokensAtOnce = 4096;
/// `length` tokens from each of these places, [places, length], int64.
at::Tensor tokens_at(std::span<const std::uint16_t> tokens, const std::vector<std::size_t>& begins,
                     std::int64_t length);

struct EvaluateOptions {
  std::vector<std::int64_t> lengths = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};  ///< increasing
  std::size_t windows = 16;  ///< of the greatest length; as many tokens of documents
  std::function<void(double)> progress = [](double) {};  ///< the part that is done
};

/// Packed windows at all lengths, and documents at those that `windows` of them reach.
/// @throws theory::SpecError  the file is shorter than one window, or a token is not in the vocabulary
std::vector<Series> evaluate(Transformer& model, const TokenFile& file, const std::string& source,
                             const EvaluateOptions& options);

/// Every token of the file but the first, once: read in pieces of `length` tokens that follow each other, the
/// last of which may be shorter. The loss that ngram-baseline has of the same file, except for context that
/// is cut off between pieces.
/// @throws theory::SpecError  as evaluate
Series every_token(Transformer& model, const TokenFile& file, std::int64_t length, const std::string& source,
                   const std::function<void(double)>& progress);

/// Names asked for at one distance.
struct RecallResult {
  std::size_t distance = 0;
  std::size_t asked = 0;
  /// How often the right name's first token is the likeliest of all names'; nothing when first tokens do not
  /// tell names apart.
  std::optional<double> accuracy;
  std::optional<ConfidenceInterval> accuracy_interval;
  MeanLoss answer;  ///< of the tokens of the name
};
std::vector<RecallResult> recall(Transformer& model, const TokenFile& file, const AnswerKey& key,
                                 const std::function<void(double)>& progress);

}  // namespace gpe::model
