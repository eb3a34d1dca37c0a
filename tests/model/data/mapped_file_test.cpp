// A file's bytes, and what happens when others change the file.
#include "model/data/mapped_file.h"

#include <csignal>
#include <cstdlib>
#include <memory>
#include <vector>

#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gpe::model {
namespace mapped_file_test {

using tests::TemporaryFolder;

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, has_the_bytes_of_small_and_large_files) {
  const TemporaryFolder folder;
  for (const std::size_t size : {0UL, 1UL, 4096UL, (1UL << 20) - 1, 1UL << 20, (3UL << 20) + 5}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i >> 8);
    MappedFile file(folder.write("f", bytes));
    EXPECT_EQ(text_of(file), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.bytes().data()) % 8, 0u);
    const MappedFile moved = std::move(file);
    EXPECT_EQ(text_of(moved), bytes);
  }
}

TEST(MappedFile, more_files_at_once_than_are_watched) {
  const TemporaryFolder folder;
  const std::string bytes(1 << 20, 'x');
  const auto path = folder.write("f", bytes);
  std::vector<std::unique_ptr<MappedFile>> files;
  for (int i = 0; i < 100; ++i) files.push_back(std::make_unique<MappedFile>(path));
  for (const auto& file : files) EXPECT_EQ(text_of(*file), bytes);
}

TEST(MappedFile, a_small_file_stays_as_it_was_when_it_is_cut_off) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("f", std::string(100000, 'x')));
  std::filesystem::resize_file(folder / "f", 0);
  EXPECT_EQ(text_of(file), std::string(100000, 'x'));
}

TEST(MappedFileDeathTest, a_large_file_that_is_cut_off_ends_the_program_with_one_message) {
  const TemporaryFolder folder;
  const auto path = folder.write("t\n.bin", std::string(3 << 20, 'x'));
  const auto cut_off = [&] {
    const MappedFile other(folder.write("other", std::string(2 << 20, 'y')));
    const MappedFile file(path);
    std::filesystem::resize_file(path, 4096);
    if (text_of(file).empty()) std::abort();
  };
  EXPECT_EXIT(cut_off(), testing::ExitedWithCode(2),
              "^[^\n]*t\\?.bin: was cut off while it was read[^\n]*\n$");
#ifndef __SANITIZE_ADDRESS__  // which has a handler of its own
  const auto another = [] { raise(SIGBUS); };
  EXPECT_EXIT(another(), testing::KilledBySignal(SIGBUS), "");
#endif
}

TEST(MappedFile, what_is_no_file_is_refused) {
  const TemporaryFolder folder;
  EXPECT_EQ(tests::refusal([&] { MappedFile{folder / "absent"}; }),
            (folder / "absent").string() + ": no such file");
  EXPECT_EQ(tests::refusal([&] { MappedFile{folder.path()}; }),
            folder.path().string() + ": is a folder, expected a file");
  EXPECT_EQ(tests::refusal([] { MappedFile{"/dev/zero"}; }), "/dev/zero: is not a regular file");
}

}  // namespace mapped_file_test
}  // namespace gpe::model
