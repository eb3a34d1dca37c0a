// Gradient positional sensitivity inside a window: only the distances that it keeps count.
#include "tests/theory/findings.h"

namespace gps_window_test {

using gpe::testing::encoding_with;
using gpe::testing::finding;

struct Case {
  const char* gain;
  int window;
  const char* verdict;  // at that window
  const char* region;   // over all windows
};

TEST(GpsWindow, a_gain_that_changes_outside_the_window_does_not_count) {
  const std::vector<Case> cases = {
      {"1/(1 + n)", 1, "fails", "W >= 2"},
      {"1/(1 + n)", 2, "holds", "W >= 2"},
      {"if(n < 4, 1, 2)", 4, "fails", "W >= 5"},
      {"if(n < 4, 1, 2)", 5, "holds", "W >= 5"},
      {"if(n == 2, 5, 7)", 2, "fails", "W >= 3"},
      {"if(n == 2, 5, 7)", 9, "holds", "W >= 3"},
      {"max(3, n)", 4, "fails", "W >= 5"},
      {"max(3, n)", 5, "holds", "W >= 5"},
      {"2", 5, "fails", "never"},
  };
  for (const Case& one : cases) {
    const auto encoding =
        encoding_with("W = { default = \"" + std::to_string(one.window) + "\", domain = \"W >= 1\" }",
                      "window = \"W\"\ngain = \"" + std::string(one.gain) + "\"\ntransform = \"identity\"");
    for (const char* key : {"gps/scalar", "gps/norm", "gps/vector"}) {
      const auto found = finding(encoding, key);
      EXPECT_EQ(name_of(found.verdict), one.verdict)
          << one.gain << " W = " << one.window << ": " << found.reason;
      EXPECT_EQ(found.region, one.region) << one.gain << " " << key;
    }
  }
}

TEST(GpsWindow, an_angle_that_turns_outside_the_window_does_not_count) {
  const auto encoding = [](int window) {
    return encoding_with(
        "W = { default = \"" + std::to_string(window) + "\", domain = \"W >= 1\" }",
        "window = \"W\"\ntransform = \"rotation\"\n[score.rotation]\nangle = \"max(0, n - 3)\"");
  };
  EXPECT_EQ(name_of(finding(encoding(4), "gps/vector").verdict), "fails");
  EXPECT_EQ(name_of(finding(encoding(5), "gps/vector").verdict), "holds");
  EXPECT_EQ(finding(encoding(4), "gps/vector").region, "W >= 5");
  EXPECT_EQ(name_of(finding(encoding(4), "gps/scalar").verdict), "fails");
}

}  // namespace gps_window_test
