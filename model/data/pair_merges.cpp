#include "model/data/pair_merges.h"
// Tests: tests/model/data/tokenizer_test.cpp
#include <queue>
#include <tuple>

namespace gpe::model {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::int32_t kGone = -1;

std::uint64_t key(std::int32_t left, std::int32_t right) {
  return (std::uint64_t{static_cast<std::uint32_t>(left)} << 32U) | static_cast<std::uint32_t>(right);
}

// A token of the word; the tokens are a list through their places.
struct Node {
  std::int32_t token;
  std::size_t previous, next;
};

// A merge that was possible when it was seen; it may no longer be.
struct Candidate {
  std::uint32_t rank;
  std::size_t place;  // of the left token
  std::int32_t token;
  bool operator>(const Candidate& other) const {
    return std::tie(rank, place) > std::tie(other.rank, other.place);
  }
};

}  // namespace

bool PairMerges::add(std::int32_t left, std::int32_t right, std::int32_t token) {
  return merges_.emplace(key(left, right), Merge{static_cast<std::uint32_t>(merges_.size()), token}).second;
}

const PairMerges::Merge* PairMerges::find(std::int32_t left, std::int32_t right) const {
  const auto found = merges_.find(key(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

void PairMerges::apply(std::vector<std::int32_t>& tokens) const {
  if (tokens.size() < 2 || merges_.empty()) return;
  std::vector<Node> nodes;
  nodes.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    nodes.push_back({tokens[i], i == 0 ? kNone : i - 1, i + 1 == tokens.size() ? kNone : i + 1});
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  const auto consider = [&](std::size_t place) {
    if (place == kNone || nodes[place].next == kNone) return;
    const Merge* const merge = find(nodes[place].token, nodes[nodes[place].next].token);
    if (merge != nullptr) candidates.push({merge->rank, place, merge->token});
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) consider(i);
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    Node& left = nodes[best.place];
    if (left.token == kGone || left.next == kNone) continue;
    Node& right = nodes[left.next];
    const Merge* const merge = find(left.token, right.token);
    if (merge == nullptr || merge->rank != best.rank) continue;  // one of the two has become another token
    left.token = best.token;
    left.next = right.next;
    right.token = kGone;
    if (left.next != kNone) nodes[left.next].previous = best.place;
    consider(left.previous);
    consider(best.place);
  }
  tokens.clear();
  for (std::size_t place = 0; place != kNone; place = nodes[place].next) tokens.push_back(nodes[place].token);
}

}  // namespace gpe::model
