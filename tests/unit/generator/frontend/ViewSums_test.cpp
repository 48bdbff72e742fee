// tests/unit/generator/frontend/ViewSums_test.cpp: whether tasks only add to a view, and which threads may have sums of
// their own for it.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

const std::string declared = R"(
#include <atomic>
#include <cmath>
#include <cstdint>
using foldwise::view;
using i1 = foldwise::index<1>;
using i2 = foldwise::index<2>;
)";

}  // namespace

TEST(ViewSums, WhatTasksOnlyAddTo) {
    const auto isSummed = [](const std::string& type, const std::string& body) {
        const Parsed parsed = parse(declared + "auto k = foldwise::forall([](i1 i, view<" + type +
                                    ", 1> out, view<const std::int32_t, 1> in) {" + body + "});\n");
        EXPECT_TRUE(parsed.ok) << parsed.messages;
        return parsed.ok && parsed.kernel("k").as<ForallSpec>().signatures.front().parameters.front().isSummed;
    };
    for (const char* body : {
             "std::atomic_ref(out[in[i]]).fetch_add(1u);",
             "std::atomic_ref(out[in[i]]).fetch_add(1u, std::memory_order_relaxed);",
             "std::atomic_ref<std::uint32_t>(out[in[i]]).fetch_sub(in[i]);",
             "std::atomic_ref<std::uint32_t>{out(in[i])} += 3;",
             "std::atomic_ref(out[0]) -= out.extent(0);",
             "if (in[i] > 0) ++std::atomic_ref(out[in[i]]); else std::atomic_ref(out[0])--;",
             "for (int k = 0; k < 4; ++k) (void)std::atomic_ref(out[k]).fetch_add(2);",
             "std::atomic_ref(out[in[i]]).fetch_add(1); std::atomic_ref(out[0]).fetch_add(in[i]);",
             "[&] { std::atomic_ref(out[in[i]]).fetch_add(1); }();",
         })
        EXPECT_TRUE(isSummed("std::uint32_t", body)) << body;
    for (const char* body : {
             "",
             "(void)out.extent(0);",
             "out[i] += 1;",
             "const auto before = std::atomic_ref(out[in[i]]).fetch_add(1); (void)before;",
             "if (std::atomic_ref(out[in[i]]).fetch_add(1) == 0) std::atomic_ref(out[0]).fetch_add(1);",
             "if (++std::atomic_ref(out[in[i]]) == 0) return;",
             "const auto last = ({ std::atomic_ref(out[0]).fetch_add(1); }); (void)last;",
             "std::atomic_ref(out[in[i]]).fetch_add(1); (void)out[0];",
             "std::atomic_ref(out[in[i]]).fetch_add(out[0]);",
             "std::atomic_ref(out[in[i]]).fetch_or(1);",
             "std::atomic_ref(out[in[i]]).fetch_add(1); std::atomic_ref(out[0]).store(1);",
             "(void)std::atomic_ref(out[in[i]]).load();",
             "std::atomic_ref bin(out[in[i]]); bin.fetch_add(1);",
             "std::atomic_ref(*&out[in[i]]).fetch_add(1);",
             "std::atomic_ref(out.slice(0, 0, 9)[in[i]]).fetch_add(1);",
         })
        EXPECT_FALSE(isSummed("std::uint32_t", body)) << body;
    const std::string sum = "std::atomic_ref(out[in[i]]).fetch_add(1);";
    EXPECT_TRUE(isSummed("std::int32_t", sum));
    EXPECT_TRUE(isSummed("std::int64_t", sum));
    EXPECT_TRUE(isSummed("float", sum));
    const std::string ordered = "std::atomic_ref(out[in[i]]).fetch_add(1, std::memory_order_acq_rel);";
    EXPECT_TRUE(isSummed("std::int32_t", ordered));
    EXPECT_FALSE(isSummed("std::int64_t", ordered))
        << "no other name can stand for std::atomic_ref, which has no such sum";
}

TEST(ViewSums, WhatAThreadCanSumUpOnItsOwn) {
    const auto kernelOf = [](const std::string& body, const std::string& type = "float") {
        return "auto k = foldwise::forall([](i1 i, view<" + type +
               ", 1> out, view<const std::int32_t, 1> in, view<int, 1> other) {" + body + "});\n";
    };
    const auto hasOwnSums = [](const std::string& kernel) {
        const Parsed parsed = parse(declared + kernel);
        EXPECT_TRUE(parsed.ok) << parsed.messages;
        if (!parsed.ok) return false;
        const auto& spec = parsed.kernel("k").as<ForallSpec>();
        const bool has = spec.signatures.front().parameters.front().hasOwnSums;
        const bool isMarked = llvm::any_of(spec.body.marks, [](const Mark& one) { return one.kind == MarkKind::Sum; });
        EXPECT_TRUE(isMarked || !has) << kernel;
        return has;
    };
    const std::string relaxed = "std::atomic_ref(out[in[i]]).fetch_add(1, std::memory_order_relaxed);";
    for (const char* type : {"float", "double", "std::int32_t", "std::uint32_t", "std::int64_t", "std::uint64_t"})
        EXPECT_TRUE(hasOwnSums(kernelOf(relaxed, type))) << type;
    for (const char* body : {
             "std::atomic_ref(out[in[i]]).fetch_add(1);",
             "std::atomic_ref<float>(out[in[i]]).fetch_sub(in[i]);",
             "std::atomic_ref<float>{out[in[i]]} += 2; other[i] = 3; (void)out.extent(0);",
             "for (int k = 0; k < 4; ++k) (void)std::atomic_ref(out[k]).fetch_add(2, std::memory_order::relaxed);",
             "std::atomic_ref(out[in[i]]).fetch_add(1); ++std::atomic_ref(other[i]);",
             "using number = std::atomic_ref<float>; number(out[in[i]]) -= 2;",
             "std::atomic_ref(other[0]).store(1);"
             "std::atomic_ref(out[in[i]]).fetch_add(1, std::memory_order_relaxed);",
         })
        EXPECT_TRUE(hasOwnSums(kernelOf(body))) << body;
    for (const char* body : {
             "std::atomic_ref(out[in[i]]).fetch_add(1, std::memory_order_seq_cst);",
             "std::atomic_ref(out[in[i]]).fetch_add(1, in[i] ? std::memory_order_relaxed : std::memory_order_release);",
             "std::atomic_ref(out[in[i]]).fetch_add(1); std::atomic_ref(other[0]).store(1);",
             "std::atomic_ref(out[in[i]]).fetch_add(out.stride(0));",
             "auto sum = std::atomic_ref(out[in[i]]); sum.fetch_add(1);",
             "std::atomic_ref(out[in[i]]).fetch_add(1); std::atomic_ref(out[0]).store(1);",
         })
        EXPECT_FALSE(hasOwnSums(kernelOf(body))) << body;
    EXPECT_FALSE(hasOwnSums("#define SHARED std::atomic_ref\n" + kernelOf("SHARED(out[in[i]]).fetch_add(1);")));
    EXPECT_FALSE(hasOwnSums("inline void add(i1 i, view<float, 1> out) { std::atomic_ref(out[i]).fetch_add(1); }\n"
                            "auto k = foldwise::forall(add);\n"))
        << "a function of the user's is called as it is";
}

TEST(ViewSums, SignaturesWithOwnSumsShareATextOrHaveNone) {
    const auto hasOwnSums = [](const std::string& body) {
        const Parsed parsed =
            parse(declared +
                  "auto k = foldwise::forall<void(view<float, 1>, view<int, 1>, float),"
                  " void(view<double, 1>, view<const int, 1>, double)>([](i1 i, auto out, auto in, auto x) {" +
                  body + "});\n");
        EXPECT_TRUE(parsed.ok) << parsed.messages;
        std::vector<bool> all;
        for (const ForallSignature& signature : parsed.kernel("k").as<ForallSpec>().signatures)
            all.push_back(signature.parameters.front().hasOwnSums);
        return all;
    };
    EXPECT_EQ(hasOwnSums("std::atomic_ref(out[in[i]]).fetch_add(1);"), (std::vector<bool>{true, true}));
    EXPECT_EQ(hasOwnSums("if constexpr (sizeof(x) == 8) std::atomic_ref(out[in[i]]).fetch_add(1);"),
              (std::vector<bool>{false, true}));
    EXPECT_EQ(hasOwnSums("if constexpr (sizeof(x) == 8) std::atomic_ref(out[in[i]]).fetch_add(1);"
                         " else std::atomic_ref(out[0]).fetch_add(in[i]);"),
              (std::vector<bool>{false, false}));
}
