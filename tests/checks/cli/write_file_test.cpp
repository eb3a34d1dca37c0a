// Files are replaced whole; what is not a file is written into, never replaced.
#include "checks/cli/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/temporary_folder.h"

namespace gpe::checks {
namespace write_file_test {

using tests::TemporaryFolder;

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string refusal(const std::filesystem::path& file) {
  try {
    write_file(file, "x");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "written";
}

TEST(WriteFile, pieces_become_one_file_and_nothing_else_is_left) {
  const TemporaryFolder folder;
  write_file(folder / "a", "an older and longer text");
  const std::array<std::string_view, 3> pieces = {"one", "", std::string_view("\0two", 4)};
  write_file(folder / "a", pieces);
  EXPECT_EQ(read(folder / "a"), std::string("one\0two", 7));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFile, a_symbolic_link_stays_one) {
  const TemporaryFolder folder;
  folder.write("target", "old");
  std::filesystem::create_symlink("target", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read(folder / "target"), "new");
}

TEST(WriteFile, the_mode_stays) {
  const TemporaryFolder folder;
  using std::filesystem::perms;
  const auto mode = [](const std::filesystem::path& file) {
    return std::filesystem::status(file).permissions();
  };
  folder.write("private", "old");
  std::filesystem::permissions(folder / "private", perms::owner_read | perms::owner_write);
  write_file(folder / "private", "new");
  EXPECT_EQ(mode(folder / "private"), perms::owner_read | perms::owner_write);
  const mode_t mask = umask(027);
  write_file(folder / "fresh", "new");
  umask(mask);
  EXPECT_EQ(mode(folder / "fresh"), perms::owner_read | perms::owner_write | perms::group_read);
}

TEST(WriteFile, no_link_of_somebody_else_is_followed) {
  const TemporaryFolder folder;
  folder.write("victim", "kept");
  std::filesystem::create_symlink("victim", folder / ("a.tmp" + std::to_string(getpid())));
  write_file(folder / "a", "new");
  EXPECT_EQ(read(folder / "victim"), "kept");
  EXPECT_EQ(read(folder / "a"), "new");
}

TEST(WriteFile, a_pipe_stays_a_pipe) {
  const TemporaryFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read(pipe); });
  write_file(pipe, "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(WriteFile, an_open_file_is_added_to) {
  const TemporaryFolder folder;
  const int descriptor = open((folder / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(write(descriptor, "before ", 7), 7);
  write_file("/proc/self/fd/" + std::to_string(descriptor), "after");
  close(descriptor);
  EXPECT_EQ(read(folder / "log"), "before after");
}

TEST(WriteFile, what_fails_is_named_and_leaves_nothing_behind) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  EXPECT_EQ(refusal(folder / "sub"), (folder / "sub").string() + ": cannot be replaced: Is a directory");
  EXPECT_EQ(refusal(folder / "absent" / "a"),
            (folder / "absent" / "a").string() + ": cannot be created: No such file or directory");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  if (std::filesystem::is_character_file("/dev/full")) {
    EXPECT_EQ(refusal("/dev/full"), "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace write_file_test
}  // namespace gpe::checks
