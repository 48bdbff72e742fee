// tests/unit/generator/model/KernelNames_test.cpp: finding kernels by the names that users give.
#include "model/KernelNames.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static KernelSpec named(std::vector<std::string> namespaces, const std::string& name) {
    KernelSpec kernel;
    kernel.namespaces = std::move(namespaces);
    kernel.name = name;
    return kernel;
}

/// demo::rel_diff, demo::axpy; other::rel_diff, plain.
static std::vector<UnitSpec> units() {
    std::vector<UnitSpec> units(2);
    units[0].kernels = {named({"demo"}, "rel_diff"), named({"demo"}, "axpy")};
    units[1].kernels = {named({"other", "deep"}, "rel_diff"), named({}, "plain")};
    return units;
}

static std::string found(const std::vector<std::string>& names) {
    const std::vector<UnitSpec> all = units();
    llvm::Expected<std::vector<KernelOfUnit>> kernels = kernelsNamed(all, names);
    if (!kernels) return llvm::toString(kernels.takeError());
    std::string text;
    for (const auto& [unit, kernel] : *kernels)
        text += (text.empty() ? "" : " ") + std::to_string(unit - all.data()) + ":" + kernel->qualifiedName();
    return text;
}

TEST(KernelNames, QualifiedOrNot) {
    EXPECT_EQ(found({"demo::axpy"}), "0:demo::axpy");
    EXPECT_EQ(found({"axpy"}), "0:demo::axpy");
    EXPECT_EQ(found({"deep::rel_diff"}), "1:other::deep::rel_diff");
    EXPECT_EQ(found({"plain"}), "1:plain");
}

TEST(KernelNames, SeveralAndAllComeInTheOrderOfTheUnits) {
    EXPECT_EQ(found({"plain", "axpy", "plain"}), "0:demo::axpy 1:plain");
    EXPECT_EQ(found({"*"}), "0:demo::rel_diff 0:demo::axpy 1:other::deep::rel_diff 1:plain");
}

TEST(KernelNames, AnAmbiguousNameIsRefusedWithWhatItCouldBe) {
    EXPECT_EQ(found({"rel_diff"}),
              "'rel_diff' could be any of demo::rel_diff, other::deep::rel_diff: write more of its name");
}

TEST(KernelNames, ANearMissIsRefusedWithWhatWasMeant) {
    EXPECT_EQ(found({"axpi"}), "there is no kernel 'axpi': did you mean 'demo::axpy'?");
    EXPECT_EQ(found({"Plain"}), "there is no kernel 'Plain': did you mean 'plain'?");
    EXPECT_EQ(found({"demo::rel_dif"}), "there is no kernel 'demo::rel_dif': did you mean 'demo::rel_diff'?");
}

TEST(KernelNames, AnotherNameIsRefusedWithThoseThatThereAre) {
    EXPECT_EQ(found({"histogram"}), "there is no kernel 'histogram': there are demo::axpy, demo::rel_diff, "
                                    "other::deep::rel_diff, plain");
    EXPECT_EQ(found({""}), "there is no kernel '': there are demo::axpy, demo::rel_diff, other::deep::rel_diff, plain");
    llvm::Expected<std::vector<KernelOfUnit>> none = kernelsNamed({}, {"f"});
    ASSERT_FALSE(static_cast<bool>(none));
    EXPECT_EQ(llvm::toString(none.takeError()), "there is no kernel 'f': there are none");
}
