#include <gtest/gtest.h>

#include "checks/report/report_cells.h"

namespace region_cell_test {

using gpe::checks::region_cell;
using gpe::theory::Finding;
using gpe::theory::Rational;

std::string cell(const std::string& region) {
  Finding finding;
  finding.region = region;
  return region_cell({&finding});
}

const std::string decided = "m > 1; undecided: ";

TEST(RegionCell, is_the_region_up_to_2000_characters) {
  EXPECT_EQ(cell("always"), "always");
  const std::string longest = decided + std::string(2000 - decided.size(), 'm');
  EXPECT_EQ(cell(longest), "when " + longest);
}

TEST(RegionCell, has_what_is_decided_of_a_longer_one) {
  const std::string more(1983, 'm');
  EXPECT_EQ(cell(decided + more), "when m > 1; undecided: a region of 1983 characters (--format json)");
  EXPECT_EQ(cell(more + more), "when a region of 3966 characters (--format json)");
  EXPECT_EQ(cell("never; undecided: " + more + more),
            "never; undecided: a region of 3966 characters (--format json)");
}

TEST(RegionCell, each_content_bound_has_its_own) {
  Finding first, second;
  first.content_bound = Rational(1);
  first.region = "always";
  second.content_bound = Rational(5);
  second.region = std::string(2001, 'm');
  EXPECT_EQ(region_cell({&first, &second}),
            "B = 1: always; B = 5: a region of 2001 characters (--format json)");
}

}  // namespace region_cell_test
