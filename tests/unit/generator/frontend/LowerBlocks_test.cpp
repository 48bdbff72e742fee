// tests/unit/generator/frontend/LowerBlocks_test.cpp: the model of `blocks` kernels, and the marks in their text.
#include "parsed.hpp"

#include <gtest/gtest.h>

#include <llvm/ADT/STLExtras.h>

using namespace foldwise;

static const std::string text = "([](foldwise::block<1> b, foldwise::view<float, 1> x) {"
                                "auto mine = b.own(0.0f); auto s = b.shared<float, 4>();"
                                "b.each([&](foldwise::index<1> t) { mine[t] = x[t]; });"
                                "b.once([&] { s[0] = 0; });"
                                "const float sum = b.fold(mine, [](float p, float q) { return p + q; });"
                                "b.each([&](foldwise::index<1> t) { x[t] = sum + s[0]; }); });";

static BlocksSpec blocksOf(const std::string& extents) {
    return parse("auto f = foldwise::blocks<" + extents + ">" + text).kernel("f").as<BlocksSpec>();
}

/// The items of a thread that the text says, wherever it works on items.
static std::vector<std::uint32_t> itemsInText(const BlocksSpec& spec) {
    std::vector<std::uint32_t> all;
    for (const Mark& mark : spec.body.marks)
        if (mark.kind == MarkKind::BlockCall) all.push_back(mark.number);
    return all;
}

/// What begins with the loops that CUDA unrolls, each as far as its head goes.
static std::vector<std::string> unrolledIn(const std::string& phase) {
    const Body body =
        parse("auto f = foldwise::blocks<32>([](foldwise::block<1> b, foldwise::view<float, 1> x, int n) {"
              "b.each([&](foldwise::index<1> t) { " +
              phase + " }); });")
            .kernel("f")
            .as<BlocksSpec>()
            .body;
    std::vector<std::string> all;
    for (const Mark& mark : body.marks)
        if (mark.kind == MarkKind::UnrolledLoop)
            all.push_back(body.block.substr(mark.offset, body.block.find(')', mark.offset) + 1 - mark.offset));
    return all;
}

TEST(LowerBlocks, LoopsOfConstantLoopsAreUnrolled) {
    using all = std::vector<std::string>;
    const std::string i = "for (int i = 0; i < 8; ++i)", j = "for (int j = 0; j < 4; ++j)";
    EXPECT_EQ(unrolledIn(i + " " + j + " x[t] += i * j;"), all{i});
    EXPECT_EQ(unrolledIn(i + " { x[t] = 0; " + j + " " + "for (int k = 0; k < 2; ++k) x[t] += k; }"), (all{i, j}));
    EXPECT_EQ(unrolledIn("if (n > 0) { " + i + " " + j + " x[t] += 1; }"), all{i});
    EXPECT_EQ(unrolledIn("for (int m = 0; m < n; ++m) " + i + " " + j + " x[t] += 1;"), all{i})
        << "in one whose trips are not known";
}

TEST(LowerBlocks, OtherLoopsAreLeftToCompilers) {
    const std::string i = "for (int i = 0; i < 8; ++i) ", j = "for (int j = 0; j < 4; ++j) ";
    for (const std::string& phase : {i + "x[t] += i;", i + "for (int m = 0; m < n; ++m) x[t] += 1;",
                                     i + "for (int m = 0; m < 129; ++m) x[t] += 1;",  // more than 1024 altogether
                                     i + j + "x[t] = std::sin(x[t]);", "if (n > 0) " + i + j + "x[t] += 1;",
                                     "\n#pragma unroll 2\n" + i + j + "x[t] += 1;"})
        EXPECT_EQ(unrolledIn(phase), std::vector<std::string>()) << phase;
}

TEST(LowerBlocks, KnowsTheBlock) {
    const BlocksSignature signature = blocksOf("100").signatures.at(0);
    EXPECT_EQ(signature.text, "void(block<1> b, view<float, 1> x)");
    EXPECT_EQ(signature.indexRank, 1u);
    EXPECT_EQ(signature.extents, std::vector<std::uint64_t>{100});
    EXPECT_EQ(signature.threads, 128u);
}

TEST(LowerBlocks, TheTextSaysHowManyItemsAThreadHas) {
    EXPECT_EQ(itemsInText(blocksOf("256")), (std::vector<std::uint32_t>{1, 1, 1, 1})) << "own, two phases and a fold";
    EXPECT_EQ(itemsInText(blocksOf("1000")), (std::vector<std::uint32_t>{4, 4, 4, 4}));
    EXPECT_EQ(itemsInText(blocksOf("16384")), (std::vector<std::uint32_t>{16, 16, 16, 16}));
}

TEST(LowerBlocks, AFunctionWithANameHasOneItemInEachThread) {
    const std::string function = "inline void g(foldwise::block<1> b, foldwise::view<float, 1> x) {"
                                 "b.each([&](foldwise::index<1> t) { x[t] = 0; }); }\n";
    const Parsed some = parse(function + "auto f = foldwise::blocks<600>(g);");
    ASSERT_TRUE(some.ok) << some.messages;
    EXPECT_EQ(some.kernel("f").as<BlocksSpec>().signatures.at(0).threads, 608u);
    const Parsed many = parse(function + "auto f = foldwise::blocks<2000>(g);");
    EXPECT_FALSE(many.ok);
    EXPECT_NE(many.messages.find("FW090"), std::string::npos) << many.messages;
}
