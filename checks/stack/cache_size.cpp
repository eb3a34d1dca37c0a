#include "checks/stack/cache_size.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Rational;

namespace {

std::int64_t pages_for(std::int64_t keys, std::int64_t page) { return (keys + page - 1) / page; }

}  // namespace

Rational CacheFormat::bytes(std::int64_t numbers) const {
  const Rational plain(numbers * bits, 8);
  return scaled ? plain + Rational(2 * pages_for(numbers, 32)) : plain;
}

CacheFormat cache_format(const std::string& option, const std::string& name) {
  static const std::vector<CacheFormat> all = {{"bf16", 16, false}, {"fp16", 16, false}, {"fp32", 32, false},
                                               {"fp8", 8, false},   {"int8", 8, true},   {"int4", 4, true}};
  const auto found = std::ranges::find(all, name, &CacheFormat::name);
  if (found == all.end())
    throw theory::SpecError(option + " " + name + ": expected one of " +
                            theory::joined(all, ", ", &CacheFormat::name));
  return *found;
}

std::int64_t keys_in_pages(std::int64_t context, std::optional<std::int64_t> window, bool chunked,
                           std::int64_t page) {
  const std::int64_t all = pages_for(context, page) * page;
  if (!window || *window >= context) return all;
  const std::int64_t step = chunked ? std::gcd(*window, page) : 1;  // of the places in a page where it begins
  return std::min(all, pages_for(*window + page - step, page) * page);
}

}  // namespace gpe::checks
