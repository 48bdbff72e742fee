// tests/unit/runtime/detail/checks_test.cpp: what a report of a checked kernel has room for.
#include <foldwise/detail/checks.hpp>

#include <gtest/gtest.h>

#include <string>

using foldwise::detail::finding;
using foldwise::detail::mistake;
using foldwise::detail::report;

static std::string file_in_report(const std::string& path) {
    report found{};
    fill(found, finding::of_text(mistake::failure, path.c_str(), 7, "text"));
    return found.file;
}

TEST(Checks, AReportNamesAFileByItsWholePath) {
    EXPECT_EQ(file_in_report("stats.kernels.cpp"), "stats.kernels.cpp");
    const std::string longest = std::string(report::room - 1 - 4, '/') + ".cpp";
    EXPECT_EQ(file_in_report(longest), longest);
}

TEST(Checks, OfAPathThatIsTooLongAReportHasTheEnd) {
    const std::string path = "/home/" + std::string(report::room, 'd') + "/stats.kernels.cpp";
    EXPECT_EQ(file_in_report(path), path.substr(path.size() - (report::room - 1)));
}

TEST(Checks, AReportMayHaveNoFile) {
    report found{};
    fill(found, finding::of_text(mistake::failure, nullptr, 7, "text"));
    EXPECT_STREQ(found.file, "");
}
