// The claims of other papers: each verdict against what was worked out by hand or by another program.
#include <algorithm>

#include "tests/checks/audit_run.h"
#include "tests/in_time.h"

namespace gpe::testing {
namespace audit_published_test {

const std::map<std::string, checks::ReadingResult>& published() {
  static const auto result = [] {
    return by_name(checks::audit(checks::find_claims("published"), {}, {}, gpe::testing::in_time()));
  }();
  return result;
}

TEST(AuditPublished, EveryReadingIsSettled) {
  const std::vector<std::string> refuted = {
      "rope-decay: the content tends to 0",
      "rope-decay: weights of far tokens tend to 0",
      "rope-decay: the bound falls at every step",
      "pi-extrapolation: beyond 8,000, d = 128",
      "rope-base-4k: as rounded in the table",
      "rope-turns: slowest frequency of d = 128",
      "xpos-decay: weights of far tokens tend to 0",
      "xpos-decay: Z converges",
      "hope-monotone: weights of far tokens tend to 0",
      "alibi-slopes: 12 heads, the code",
      "t5-128: the last range begins at 128",
      "qin-criterion: Sandwich",
      "qin-criterion: none where the sum diverges",
      "qin-entropy: as stated",
      "dispersion: any bias",
      "ssmax-threshold: the entropy is then bounded",
      "critical-logn: sharp at the point itself",
      "abf: another verdict",
      "streaming-sink: tokens beyond the window keep a weight",
      "resonance: every block, trained on 4,096 tokens, d = 128",
      "head-scale: one temperature for every length",
      "string-thirds: the code's offset, 0.33",
      "infoscale-entropy: for some content of B = 1",
      "infoscale-entropy: for some content of B = 10",
      "swan-scaling: B = 1, T = 8,192",
      "swan-scaling: every content",
      "scale-invariance: so E Z is finite",
      "bam-prior: every shape makes Z finite",
      "entmax-dispersion: logits that differ by log n",
      "tapa-bias: for every content",
      "rope-imaginary: mean scores at 64, 512 and 4,096",
      "rope-imaginary: some property tells them apart",
      "mimo-cache: the configuration: 9 of 48 layers see all keys",
      "clipped-rope: content fades with RoPE",
  };
  for (const auto& [name, result] : published()) {
    const bool no = std::ranges::find(refuted, name) != refuted.end();
    const bool depends = name == "qin-criterion: KERPLE, logarithmic" ||
                         name == "inverse-square: which powers have a finite Z" ||
                         name == "critical-scale: uniform scores: n^kappa";
    std::string wanted = depends ? "depends" : "confirmed";
    if (no) wanted = "refuted";
    EXPECT_EQ(name_of(result.verdict), wanted) << name << ": " << result.reason;
  }
  for (const std::string& name : refuted) EXPECT_TRUE(published().contains(name)) << name;
}

TEST(AuditPublished, ThirtyNineClaimsEachWithItsSource) {
  const checks::ClaimFile file = checks::find_claims("published");
  EXPECT_EQ(file.claims.size(), 39U);
  for (const checks::Claim& claim : file.claims) {
    const bool cited =
        claim.source.find("arXiv") != std::string::npos || claim.source.find("JMLR") != std::string::npos;
    EXPECT_TRUE(cited) << claim.id;
  }
}

// By a NumPy scan of the same sums, and from the papers' own tables.
TEST(AuditPublished, FindsTheFirstFailure) {
  const auto at = [](const std::string& name) { return published().at(name).witness->point.front().second; };
  EXPECT_EQ(at("rope-base-4k: as rounded in the table"), "4079");
  EXPECT_EQ(at("rope-base-llama: some m < 4096 has a negative sum"), "1707");
  EXPECT_EQ(at("pi-extrapolation: beyond 8,000, d = 128"), "8133");
  EXPECT_EQ(at("resonance: every block, trained on 4,096 tokens, d = 128"), "46");
  EXPECT_EQ(at("rope-imaginary: mean scores at 64, 512 and 4,096"), "64");
  EXPECT_EQ(published().at("qin-criterion: KERPLE, logarithmic").region, "p > 1");
  EXPECT_EQ(published().at("critical-scale: uniform scores: n^kappa").region, "kappa < 1");
}

}  // namespace audit_published_test
}  // namespace gpe::testing
