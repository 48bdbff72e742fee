// tests/unit/generator/frontend/Warnings_test.cpp: which of several options for a warning takes effect.
#include "frontend/Warnings.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

using namespace foldwise;

static WarningLevel level(llvm::StringRef name, std::initializer_list<const char*> given) {
    WarningOptions options;
    for (const char* option : given) EXPECT_FALSE(static_cast<bool>(options.add(option))) << option;
    return options.levelOf(name);
}

TEST(Warnings, HaveTheirDefaults) {
    for (const Warning& warning : warnings())
        EXPECT_EQ(level(warning.name, {}), warning.isOn ? WarningLevel::Warning : WarningLevel::Off)
            << warning.name.str();
}

TEST(Warnings, AreSwitchedByTheLaterOption) {
    EXPECT_EQ(level("recursion", {"no-recursion"}), WarningLevel::Off);
    EXPECT_EQ(level("recursion", {"no-recursion", "recursion"}), WarningLevel::Warning);
    EXPECT_EQ(level("unbounded-loop", {"unbounded-loop"}), WarningLevel::Warning);
    EXPECT_EQ(level("recursion", {"no-unbounded-loop"}), WarningLevel::Warning);
}

TEST(Warnings, BecomeErrors) {
    EXPECT_EQ(level("recursion", {"error"}), WarningLevel::Error);
    EXPECT_EQ(level("recursion", {"error", "no-error"}), WarningLevel::Warning);
    EXPECT_EQ(level("unbounded-loop", {"error"}), WarningLevel::Off);
    EXPECT_EQ(level("unbounded-loop", {"error=unbounded-loop"}), WarningLevel::Error);
    EXPECT_EQ(level("recursion", {"error=unbounded-loop"}), WarningLevel::Warning);
    EXPECT_EQ(level("recursion", {"no-error=recursion", "error"}), WarningLevel::Warning);
    EXPECT_EQ(level("unbounded-loop", {"no-error=unbounded-loop"}), WarningLevel::Off);
    EXPECT_EQ(level("recursion", {"error=recursion", "no-recursion"}), WarningLevel::Off);
}

TEST(Warnings, AreSilencedAltogether) {
    WarningOptions options;
    options.silence();
    EXPECT_FALSE(static_cast<bool>(options.add("error=recursion")));
    EXPECT_EQ(options.levelOf("recursion"), WarningLevel::Off);
}

TEST(Warnings, MustExist) {
    WarningOptions options;
    for (const char* option : {"recusion", "no-recusion", "error=recusion", "error=", "", "no-no-recursion"})
        EXPECT_TRUE(llvm::errorToBool(options.add(option))) << option;
}
