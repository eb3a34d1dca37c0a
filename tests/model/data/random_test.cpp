// Random numbers are those of the publication, and any of them can be had alone.
#include "model/data/random.h"

namespace gpe::model {
namespace random_test {

using Words = std::array<std::uint32_t, 4>;

// source: kat_vectors of the Random123 library (the authors'), rows "philox4x32 10".
TEST(Random, philox_gives_the_published_answers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, every_bit_of_seed_stream_and_index_matters) {
  const std::uint64_t base = random_bits(1, 2, 3);
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t flip = std::uint64_t{1} << bit;
    EXPECT_NE(random_bits(1 ^ flip, 2, 3), base);
    EXPECT_NE(random_bits(1, 2 ^ flip, 3), base);
    EXPECT_NE(random_bits(1, 2, 3 ^ flip), base);
  }
}

TEST(Random, a_stream_is_its_numbers_one_by_one) {
  Random random(7, 5);
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(random.below(1000), random_below(1000, 7, 5, i));
}

TEST(Random, numbers_below_a_bound_are_uniform) {
  // Chi-square with 9 degrees of freedom: above 33.7 with probability 1e-4; the seed is fixed.
  std::array<double, 10> counts{};
  Random random(11);
  constexpr int kDraws = 100'000;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    ++counts.at(random.below(10));
    const double unit = random.unit();
    ASSERT_TRUE(unit >= 0 && unit < 1);
    sum += unit;
  }
  double chi_square = 0;
  for (const double count : counts)
    chi_square += (count - kDraws / 10.0) * (count - kDraws / 10.0) / (kDraws / 10.0);
  EXPECT_LT(chi_square, 33.7);
  EXPECT_NEAR(sum / kDraws, 0.5, 4 * std::sqrt(1.0 / 12 / kDraws));
}

}  // namespace random_test
}  // namespace gpe::model
