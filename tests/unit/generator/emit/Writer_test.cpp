// tests/unit/generator/emit/Writer_test.cpp: files are written whole, all of them or none. Tests may run as root, whom
// no permission stops: a path that cannot be written is one below a regular file.
#include "emit/Writer.hpp"

#include "TemporaryFolder.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
namespace fs = std::filesystem;

static std::string write(const std::vector<OutputFile>& files, bool touch = false) {
    llvm::Error wrong = writeFiles(files, touch);
    return wrong ? llvm::toString(std::move(wrong)) : "";
}

/// Makes a file look old and returns its time.
static fs::file_time_type age(const std::string& path) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    return fs::last_write_time(path);
}

TEST(Writer, WritesFilesAndTheirFolders) {
    TemporaryFolder folder;
    EXPECT_EQ(write({{folder.path("a.txt"), "a"}, {folder.path("deep/er/b.txt"), "b\n"}}), "");
    EXPECT_EQ(folder.read("a.txt"), "a");
    EXPECT_EQ(folder.read("deep/er/b.txt"), "b\n");
    EXPECT_EQ(folder.files(), 2u);
}

TEST(Writer, FilesAreReadableByAll) {
    TemporaryFolder folder;
    EXPECT_EQ(write({{folder.path("a"), "a"}}), "");
    const fs::perms permissions = fs::status(folder.path("a")).permissions();
    EXPECT_NE(permissions & fs::perms::owner_write, fs::perms::none);
    EXPECT_NE(permissions & fs::perms::owner_read, fs::perms::none);
}

TEST(Writer, AnUnchangedFileKeepsItsTime) {
    TemporaryFolder folder;
    const std::string same = folder.write("same", "text"), other = folder.write("other", "before");
    const fs::file_time_type before = age(same), otherBefore = age(other);
    EXPECT_EQ(write({{same, "text"}, {other, "after"}}), "");
    EXPECT_EQ(fs::last_write_time(same), before);
    EXPECT_GT(fs::last_write_time(other), otherBefore);
    EXPECT_EQ(folder.read("other"), "after");
}

TEST(Writer, TouchRenewsAnUnchangedFile) {
    TemporaryFolder folder;
    const std::string same = folder.write("same", "text");
    const fs::file_time_type before = age(same);
    EXPECT_EQ(write({{same, "text"}}, /*touch=*/true), "");
    EXPECT_GT(fs::last_write_time(same), before);
    EXPECT_EQ(folder.read("same"), "text");
}

TEST(Writer, AfterAnErrorNothingHasChanged) {
    TemporaryFolder folder;
    const std::string first = folder.write("first", "before"), file = folder.write("file", "");
    const std::string refused = write({{first, "after"}, {folder.path("new"), "new"}, {file + "/below", "text"}});
    EXPECT_EQ(refused, "cannot write '" + file + "/below': Not a directory");
    EXPECT_EQ(folder.read("first"), "before");
    EXPECT_EQ(folder.files(), 2u) << "a new file or a temporary one was left behind";
}

TEST(Writer, AFolderInTheFilesPlaceIsAnError) {
    TemporaryFolder folder;
    folder.write("taken/by", "a folder");
    EXPECT_EQ(write({{folder.path("new"), "text"}, {folder.path("taken"), "text"}}),
              "cannot write '" + folder.path("taken") + "': Is a directory");
    EXPECT_EQ(folder.files(), 1u);
}
