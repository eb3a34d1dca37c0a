#include "theory/expression/habits.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace gpe::theory {

namespace {

struct KnownHabit {
  Habit kind;
  std::string_view words;  // with a space between them, in lower case
  std::string_view answer;
};

constexpr std::string_view kOnlyTheRight = "write only what stands right of its equals sign";
constexpr std::string_view kDistance = "i - j, the distance from the query to the key, is n";
constexpr std::string_view kLength =
    "L is the index of the query, which is the number of visible keys less one";
constexpr std::string_view kRopeHere =
    "rotary positions are transform = \"rotation\" and a table [score.rotation] with angle = "
    "\"10000^(-2*j/d)*n\"";
constexpr std::string_view kConfig = "a model is given by its config.json, as a file";
constexpr std::string_view kAbsolute =
    "learned absolute positions are not a function of the distance, and do not fit (docs/specification.md)";

constexpr KnownHabit kRows[] = {
    {Habit::character, "− – — ‐ ‑", "write '-'"},
    {Habit::character, "× · ⋅ ∗ •", "write '*'"},
    {Habit::character, "÷ ∕ ⁄", "write '/'"},
    {Habit::character, "| ‖", "write abs(n) for |n|"},
    {Habit::character, "² ³ ⁴ ⁿ ⁻ ¹", "write '^' for a power, as in n^2"},
    {Habit::character, "√", "write sqrt(x)"},
    {Habit::character, "π", "write pi"},
    {Habit::character, "Σ ∑", "write sum(k, low, high, x)"},
    {Habit::character, "≤", "write '<='"},
    {Habit::character, "≥", "write '>='"},
    {Habit::character, "≠", "write '!='"},
    {Habit::character, "[ ] { }", "write '(' and ')'; floor(x) where a floor is meant"},
    {Habit::character, "⌊ ⌋", "write floor(x)"},
    {Habit::character, "%", "write x - y*floor(x/y) for the rest of x by y"},
    {Habit::character, "? : & !", "write if(x < y, u, v) for a value that depends on a condition"},
    {Habit::character, ".", "functions have no module before them: write log(1 + n)"},
    {Habit::character, "\\ $", "formulas are not LaTeX: write sqrt(n), log(1 + n), (a)/(b)"},
    {Habit::character, "∞", "every score is a number; to leave keys out there are the keys window and first"},

    {Habit::function, "ln", "the natural logarithm is log(x)"},
    {Habit::function, "log1p", "write log(1 + x)"},
    {Habit::function, "log2", "write log(x)/log(2)"},
    {Habit::function, "log10", "write log(x)/log(10)"},
    {Habit::function, "expm1", "write exp(x) - 1"},
    {Habit::function, "exp2", "write 2^x"},
    {Habit::function, "pow power", "write x^y"},
    {Habit::function, "square", "write x^2"},
    {Habit::function, "rsqrt", "write 1/sqrt(x)"},
    {Habit::function, "relu", "write max(0, x)"},
    {Habit::function, "elu selu gelu silu swish", "not available; use max(0, x), exp(x) or log(1 + x)"},
    {Habit::function, "logistic expit", "write sigmoid(x)"},
    {Habit::function, "fabs norm", "write abs(x)"},
    {Habit::function, "round", "write floor(x + 1/2)"},
    {Habit::function, "trunc int", "write floor(x)"},
    {Habit::function, "mod fmod remainder", "write x - y*floor(x/y)"},
    {Habit::function, "sgn", "write sign(x)"},
    {Habit::function, "clamp clip", "write min(max(x, y), z)"},
    {Habit::function, "where", "write if(x < y, u, v)"},
    {Habit::function, "minimum amin", "write min(x, y)"},
    {Habit::function, "maximum amax", "write max(x, y)"},
    {Habit::function, "prod", "write exp(sum(k, low, high, log(x)))"},
    {Habit::function, "softmax", "the weights are e^A(n)/Z already: write the score alone"},
    {Habit::function, "a b f bias gain score angle", kOnlyTheRight},

    {Habit::name, "i j m_minus_n", kDistance},
    {Habit::name, "dist distance rel relative_position relative_distance offset pos position delta_pos t",
     kDistance},
    {Habit::name, "seq_len seqlen length context context_length max_position_embeddings kv_len len", kLength},
    {Habit::name, "q qk query key content",
     "queries and keys stand in the content alone, q'W(n)k/sqrt(d), which gain(n) multiplies; what depends "
     "on the text in another "
     "way does not fit (docs/specification.md)"},
    {Habit::name, "head_dim dim d_head d_k dk d_model hidden_size", "the head dimension is d"},
    {Habit::name, "head num_heads n_heads n_head num_attention_heads nh", "the head is h, from 1 to heads"},
    {Habit::name, "num_layers n_layers n_layer num_hidden_layers layer_idx",
     "the layer is layer, from 1 to layers"},
    {Habit::name, "e", "write exp(1)"},
    {Habit::name, "inf infinity nan",
     "every score is a number; to leave keys out there are the keys window and first"},
    {Habit::name, "torch math np numpy", "functions stand alone, as in log(1 + n)"},
    {Habit::name, "relu tanh sigmoid ln softplus",
     "a function stands before its argument, as in max(0, n - 16)"},

    {Habit::key, "slope slopes m", "a slope is a parameter m of [parameters], and bias = \"-m*n\""},
    {Habit::key, "formula score_bias additive b", "the formula that is added is bias = \"…\""},
    {Habit::key, "temperature scaling scale_factor f", "what multiplies the content is gain = \"…\""},
    {Habit::key, "rope rotary base theta rope_theta", kRopeHere},
    {Habit::key, "sliding_window window_size swa", "the number of keys is window = \"…\""},
    {Habit::key, "causal bidirectional", "attention to both sides is sided = \"two\""},
    {Habit::key, "soft_cap logit_softcapping logit_cap attn_logit_softcapping",
     "the soft cap is softcap = \"…\""},
    {Habit::key, "sinks attention_sink", "the logit of a sink is sink = \"…\""},
    {Habit::key, "value init initial", "the value is default = \"…\""},
    {Habit::key, "min max minimum maximum constraint bounds",
     "what a value fulfils is domain = \"…\", as in \"0 < p <= 2\""},
    {Habit::key, "description comment help",
     "a text about it is doc = \"…\"; of the whole encoding title = \"…\""},
    {Habit::key, "heads num_heads head_dim layers num_layers",
     "no part of a file: --heads, --head-dim, --layers"},

    {Habit::transform, "rope rotary rotate rotations rotation-matrix ntk yarn", kRopeHere},
    {Habit::transform, "xpos scaled scaled_rotation",
     "rotations that also scale are transform = \"scaled-rotation\""},
    {Habit::transform, "alibi linear bias additive",
     "what is added is bias = \"…\", with transform = \"identity\" or no transform"},
    {Habit::transform, "nope no dot-product dot plain",
     "contents without position are transform = \"identity\""},

    {Habit::option, "json csv markdown", "a format follows --format, as in --format json"},
    {Habit::option, "plot picture report html",
     "gpe plot draws a report that was printed with --format json; of a probe, gpe page makes a page"},
    {Habit::option, "b bound max-content", "the bound on contents is --content-bound B"},
    {Habit::option, "l len length seq-len context", "lengths are --lengths 64..16384"},
    {Habit::option, "param params parameter parameters p", "a parameter is --set NAME=VALUE"},
    {Habit::option, "d dim d-head", "the head dimension is --head-dim D"},
    {Habit::option, "num-heads n-heads", "the number of heads is --heads H"},
    {Habit::option, "verbose v", "an argument in words is --explain cn"},
    {Habit::option, "precision prec", "the number of digits is --digits P"},
    {Habit::option, "o out file", "a file to write is --output FILE"},
    {Habit::option, "timeout", "the time for each number is --time-limit S"},

    {Habit::encoding, "rotary roformer", "RoPE is called rope"},
    {Habit::encoding, "pi", "position interpolation is called position-interpolation"},
    {Habit::encoding, "ntk", "NTK-aware scaling is called ntk-aware, or dynamic-ntk"},
    {Habit::encoding, "kerple", "there are kerple-log, kerple-power and kerple-weight"},
    {Habit::encoding, "swa window longformer", "a window of keys is called sliding-window"},
    {Habit::encoding, "none no-pe nopos", "contents without position are called nope"},
    {Habit::encoding, "learned absolute learned-absolute gpt2 bert", kAbsolute},
    {Habit::encoding,
     "llama llama2 llama-2 mistral gemma gemma2 gemma3 gpt-oss gpt-neox pythia phi phi3 falcon mpt bloom "
     "olmo deepseek",
     kConfig},
    {Habit::encoding, "help", "write --help"},
    {Habit::encoding, "list", "check-properties --list shows the built-in ones"},
    {Habit::encoding, "all", "check-properties and entropy-frontier take --all"},
};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool among(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::string_view answer_to(Habit kind, std::string_view word) {
  const std::string here = lower(word);
  for (const KnownHabit& row : kRows) {
    if (row.kind == kind && (among(row.words, word) || among(row.words, here))) return row.answer;
  }
  if (kind == Habit::character && !word.empty() && (static_cast<unsigned char>(word[0]) & 0x80U) != 0)
    return "formulas are written in ASCII, as in lambda*n";
  return {};
}

}  // namespace gpe::theory
