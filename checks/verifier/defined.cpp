#include "checks/verifier/defined.h"
// Tests: tests/certificates/forged_undefined.py
#include <algorithm>

namespace gpe::verifier {

namespace {

constexpr int kMostBlocks = 1000, kMostConditions = 10;
const mpz_class kFar = mpz_class(1) << 200;

struct Range {
  mpz_class low;
  std::optional<mpz_class> high = {};
  bool single() const { return high && *high == low; }
};

class Formula {
 public:
  Formula(const std::string& key, const ScoreFunction& law, const Calculus& cell,
          const std::set<std::string>& free)
      : name_("$" + key), law_(law), cell_(cell), free_(free) {
    auto texts = law.evaluator(cell, free).texts;
    text_ = texts[name_] + (key == "angle" ? " " + texts["alpha"] + " " + texts["$alpha"] : "");
    const auto in = [](const std::string& text) {
      return [&](const std::string& one) { return mentions(text, one); };
    };
    open_ = std::ranges::any_of(free, in(text_));
    if (law.windowed && std::ranges::none_of(free, in(law.formula("window"))))
      all_.high = law.first + law.keys() - 1;
    if (!mentions(text_, "n") && !with_length()) all_.high = all_.low;
  }

  void show() {
    const Range lengths{law_.first};
    if (!has_values(all_, lengths) && (open_ || with_length() || !far())) cover(all_, lengths);
  }

 private:
  using Names = std::map<std::string, Form>;

  bool with_length() const { return mentions(text_, "L"); }

  // At all n and L >= n in the ranges: n and L are symbols about which no more is known; or, between two
  // numbers, anything there.
  bool has_values(const Range& n, const Range& length) {
    if (++blocks_ > kMostBlocks) fail();
    for (const bool between : {false, true}) {
      if (between && (!n.high || n.single())) return false;
      Calculus cell = cell_;
      const auto in = [&](const Range& range, const char* name) {
        if (range.single()) return Form(Q(range.low));
        if (between && range.high) return Calculus::between(Q(range.low), Q(*range.high));
        const Constant symbol = cell.symbol(name);
        cell.assume(symbol - Q(range.low), ">=");
        if (range.high) cell.assume(Q(*range.high) - symbol, ">=");
        return Form(symbol);
      };
      const Form at = in(n, "n"), seen_from = in({std::max(n.low, length.low), length.high}, "L");
      if (!between) cell.assume(seen_from - at, ">=");
      if (!between && law_.windowed) {
        const Form last = law_.evaluator(cell, free_)(law_.formula("window")) + (law_.first - 1);
        cell.assume(last - at, ">=");
      }
      if (in_blocks(cell, at, seen_from)) return true;
    }
    return false;
  }

  bool in_blocks(Calculus& cell, const Form& n, const Form& length) {
    const Constant entropy = cell.symbol("H"), measured = cell.symbol("alpha"), block = cell.symbol("j");
    cell.assume(entropy, ">=");
    cell.assume(measured, ">");
    cell.assume(block, ">=");
    cell.assume(law_.head_dim / 2 - 1 - block, ">=");
    Names names = {{"n", n}, {"L", length}, {"H", entropy}, {"alpha", measured}, {"j", block}};
    if (has_value(cell, names)) return true;
    bool all = mentions(text_, "j");
    for (long j = 0; all && j < law_.head_dim / 2; ++j) {
      names["j"] = j;
      all = has_value(cell, names);
    }
    return all;
  }

  // Where a condition in the formula is open: in each part of the cell by itself.
  bool has_value(const Calculus& cell, const Names& names, int conditions = 0) {
    Evaluator e = law_.evaluator(cell, free_);
    for (const auto& [name, value] : names) e.names[name] = value;
    e.in_parts = conditions < kMostConditions;
    try {
      if (name_ == "$angle" && e.texts.contains("alpha")) e("alpha");
      e(name_);
      return true;
    } catch (const NotShown& error) {
      why_ = error.what();
      return false;
    } catch (const OpenCondition& open) {
      std::vector<std::string> parts = {open.how, contrary(open.how)};
      if (among("= == !=", open.how)) parts = {"<", "=", ">"};
      return std::ranges::all_of(parts, [&](const std::string& how) {
        Calculus part = cell;
        part.assume(open.f, how);
        return has_value(part, names, conditions + 1) || part.empty();
      });
    }
  }

  // Beyond a threshold, as a function of x, and all numbers before it.
  bool far() {
    for (const auto& [depth, ell] : {std::pair(1, 3), {1, 8}, {1, 20}, {1, 40}, {2, 3}}) {
      Calculus cell;
      cell.start(depth, ell);
      if (!in_blocks(cell, Form(single(1), 1), Form())) continue;
      const mpz_class last = floor(upper(exp(cell.log_start()))) + 1;
      if (last > law_.first) cover({law_.first, last}, {law_.first});
      return true;
    }
    return false;
  }

  void cover(const Range& n, const Range& length) {
    if (has_values(n, length)) return;
    const auto halves = [this](const Range& range) {
      if (!range.high && range.low > kFar) fail();
      const mpz_class middle =
          range.high ? mpz_class((range.low + *range.high) / 2) : mpz_class(2 * range.low + 1);
      return std::pair(Range{range.low, middle}, Range{middle + 1, range.high});
    };
    if (!n.single()) {
      const auto [near, beyond] = halves(n);
      cover(near, length);
      return cover(beyond, length);
    }
    const Range seen{std::max(n.low, length.low), length.high};
    if (!with_length() || seen.single()) fail();
    const auto [few, more] = halves(seen);
    cover(n, few);
    cover(n, more);
  }

  [[noreturn]] void fail() const { throw NotFollowed("a formula may have no value: " + why_); }

  const std::string name_;
  const ScoreFunction& law_;
  const Calculus& cell_;
  const std::set<std::string>& free_;
  std::string text_, why_ = "too far out";
  bool open_ = false;  // uses free parameters
  Range all_{law_.first};
  int blocks_ = 0;
};

}  // namespace

void require_defined(const ScoreFunction& law, const Calculus& cell, const std::set<std::string>& free) {
  Evaluator e = law.evaluator(cell, free);
  if (law.windowed && !cell.nonnegative(e(law.formula("window")) - 1))
    throw NotFollowed("the window may have no key");
  if (law.has("softcap") && !cell.positive(e("$softcap")))
    throw NotFollowed("the soft cap may not be positive");
  for (const char* key : {"bias", "gain", "scale", "rate", "decay", "angle"})
    if (law.has(key)) Formula(key, law, cell, free).show();
}

}  // namespace gpe::verifier
