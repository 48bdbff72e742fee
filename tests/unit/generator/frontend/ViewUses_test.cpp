// tests/unit/generator/frontend/ViewUses_test.cpp: what tasks do with the view `out`, and whether they write all of it.
#include "parsed.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

namespace {

const std::string before = R"(
#include <atomic>
#include <cmath>
#include <cstdint>
using foldwise::view;
using i1 = foldwise::index<1>;
using i2 = foldwise::index<2>;
using f1 = view<float, 1>;
using f2 = view<float, 2>;
struct pair {
    float a, b;
    float sum() const { return a + b; }
    void clear() { a = b = 0; }
};
struct particle {
    float x[3], v[3];
    pair of[2];
};
struct counted {
    float value;
    counted& operator=(float v) { value = v; return *this; }
};
struct doubled {
    std::int64_t value;
    constexpr doubled(i1 i) : value(2 * i) {}
    constexpr operator std::int64_t() const { return value; }
};
using p1 = view<pair, 1>;
using q1 = view<particle, 1>;
inline float square(const float& x) { return x * x; }
inline void clear(float& x) { x = 0; }
inline void fill(f1 x, std::int64_t i) { x[i] = 1; }
inline float at_zero(const f1& x) { return x[0]; }
inline float first(view<const float, 1> x) { return x[0]; }
inline void step(i1& i) { i[0] += 1; }
#define SKIP_IF(condition) if (condition) return
)";

struct ViewCase {
    const char* parameters;  ///< `out` is the view that is looked at.
    const char* body;
    Access access;
    std::vector<std::uint32_t> follows;
};

/// All of them in one spec, as kernels k0, k1, ...
void compare(const std::vector<ViewCase>& cases) {
    std::string text = before;
    for (std::size_t k = 0; k < cases.size(); ++k)
        text += "auto k" + std::to_string(k) + " = foldwise::forall([](" + cases[k].parameters + ") {" + cases[k].body +
                "});\n";
    const Parsed parsed = parse(text);
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        for (const ForallParameter& parameter :
             parsed.kernel("k" + std::to_string(k)).as<ForallSpec>().signatures.front().parameters) {
            if (parameter.name != "out") continue;
            EXPECT_EQ(textOf(parameter.access).str(), textOf(cases[k].access).str()) << cases[k].body;
            EXPECT_EQ(parameter.follows, cases[k].follows) << cases[k].body;
        }
    }
}

}  // namespace

TEST(ViewUses, Access) {
    const char* const one = "i1 i, f1 out, view<const float, 1> in";
    const char* const structs = "i1 i, p1 out";
    compare({
        {one, "", Access::None, {}},
        {one, "(void)(out.extent(0) + out.stride(0) + out.size() + out.rank);", Access::None, {}},
        {one, "const float x = out[i]; (void)x;", Access::Read, {0}},
        {one, "const float x = 2 * out(i) + 1; (void)x;", Access::Read, {0}},
        {one, "const float x = square(out[i]); (void)x;", Access::Read, {0}},
        {one, "const float& x = out[i]; (void)x;", Access::Read, {}},
        {one, "if (in[i] > 0) out[i] = 1;", Access::Write, {}},
        {one, "out[i] += in[i];", Access::ReadWrite, {0}},
        {one, "++out[i];", Access::ReadWrite, {0}},
        {one, "out[i] = out[i] + 1;", Access::ReadWrite, {0}},
        {one, "out[i] = in[i]; const float x = out[0]; (void)x;", Access::ReadWrite, {0}},
        {one, "clear(out[i]);", Access::ReadWrite, {}},
        {one, "float& x = out[i]; x = 1;", Access::ReadWrite, {0}},
        {one, "auto& x = out[i]; (void)x;", Access::ReadWrite, {}},
        {one, "float* x = &out[i]; *x = 1;", Access::ReadWrite, {}},
        {one, "*out.data() = 1;", Access::ReadWrite, {}},
        {one, "std::atomic_ref(out[i]).store(1);", Access::ReadWrite, {}},
        {one, "fill(out, i);", Access::ReadWrite, {}},
        {one, "(void)at_zero(out);", Access::ReadWrite, {}},
        {one, "(void)first(out);", Access::Read, {}},
        {one, "const view<const float, 1> read = out; (void)read[i];", Access::Read, {}},
        {one, "out[i] = first(out);", Access::ReadWrite, {0}},
        {one, "(void)first(out.slice(0, 0, i));", Access::Read, {}},
        {one, "const float x = out.slice(0, 1, 3, 1)[0]; (void)x;", Access::Read, {}},
        {one, "out.slice(0, 1, 3)(i) = 1;", Access::Write, {}},
        {one, "(void)out.slice(0, 1, 3).slice(0, 0, 1).extent(0);", Access::None, {}},
        {one, "fill(out.slice(0, 1, 3), i);", Access::ReadWrite, {}},
        {one, "f1 copy = out; copy[i] = 1;", Access::ReadWrite, {}},
        {"i1 i, f1 out, f1 other", "(i > 3 ? out : other)[i] = 1;", Access::ReadWrite, {}},
        {"i1 i, f1 out, f1 other", "(i > 3 ? out[i] : other[i]) = 1;", Access::ReadWrite, {}},
        {"i1 i, f1 out, f1 other", "const float x = i > 3 ? out[i] : other[i]; (void)x;", Access::Read, {}},
        {"i1 i, f1 out, f1 other", "const float x = i > 3 ? other[i] : (other[0], out[i]); (void)x;", Access::Read, {}},
        {"i1 i, f1 out, f1 other", "float& x = i > 3 ? out[i] : other[i]; x = 1;", Access::ReadWrite, {}},
        {structs, "const float x = out[i].a; (void)x;", Access::Read, {0}},
        {structs, "const pair x = out[i]; (void)x;", Access::Read, {0}},
        {structs, "out[i].a = 1;", Access::ReadWrite, {0}},
        {structs, "out[i].clear();", Access::ReadWrite, {0}},
        {structs, "out[i] = {1, 2};", Access::Write, {0}},
        {structs, "out[i] = pair{1, 2};", Access::Write, {0}},
        {"i1 i, view<counted, 1> out", "out[i] = 1.0f;", Access::ReadWrite, {0}},
        {"i1 i, view<const float, 1> out", "(void)out[i];", Access::Read, {}},
        {"i1 i, view<const float, 1> out", "(void)*out.data();", Access::Read, {}},
        {"i1, view<const float, 1> out", "(void)out.size();", Access::None, {}},
        {one, "const auto set = [&](float x) { out[i] = x; }; set(1);", Access::Write, {}},
        {one, "const auto set = [=](float x) { out[i] = x; }; set(1);", Access::Write, {}},
        {one, "const auto set = [out](i1 at) { out[at] = 1; }; set(i);", Access::ReadWrite, {}},
        {one, "const auto get = [&] { return out[i]; }; (void)get();", Access::Read, {}},
    });
}

TEST(ViewUses, EveryTaskReadsItsElement) {
    const char* const one = "i1 i, view<const float, 1> out, f1 other";
    const char* const two = "i2 at, view<const float, 2> out, f2 other";
    const std::vector<std::uint32_t> none, first = {0}, turned = {1, 0};
    compare({
        {one, "other[i] = out[i];", Access::Read, first},
        {one, "if (out[i] > 0) other[i] = 1;", Access::Read, first},
        {one, "other[i] = out[i] > 0 ? 1 : 2;", Access::Read, first},
        {one, "other[i] = out[i - 1] + out[i];", Access::Read, first},
        {one, "other[i] = 1; if (other[i] > out[i]) return; other[i] = out[0];", Access::Read, first},
        {two, "other[at] = out(at[1], at[0]);", Access::Read, turned},
        {one, "if (i > 0) other[i] = out[i];", Access::Read, none},
        {one, "if (i >= out.extent(0)) return; other[i] = out[i];", Access::Read, none},
        {one, "other[i] = i > 0 ? out[i] : 0;", Access::Read, none},
        {one, "other[i] = i > 0 && out[i] > 0;", Access::Read, none},
        {one, "for (int k = 0; k < i; ++k) other[i] += out[i];", Access::Read, none},
        {one, "while (i > 3) other[i] = out[i];", Access::Read, none},
        {one, "switch (static_cast<int>(i)) { case 1: other[i] = out[i]; }", Access::Read, none},
        {one, "other[i] = out[i + 1];", Access::Read, none},
        {one, "other[i] = sizeof(out[i]);", Access::Read, none},
        {one, "decltype(out[i] + 1) x = 2; other[i] = x;", Access::Read, none},
        {one, "const auto get = [&] { return out[i]; }; other[i] = get();", Access::Read, none},
        {one, "auto k = i; k[0] = 0; other[k] = out[k];", Access::Read, none},
    });
}

TEST(ViewUses, EveryTaskWritesItsElement) {
    const char* const one = "i1 i, f1 out, view<const float, 1> in";
    const char* const two = "i2 at, f2 out, view<const float, 2> in";
    const std::vector<std::uint32_t> first = {0}, straight = {0, 1}, turned = {1, 0};
    compare({
        {one, "out[i] = in[i];", Access::Write, first},
        {one, "out(i) = in[i];", Access::Write, first},
        {one, "out[i[0]] = in[i];", Access::Write, first},
        {one, "(out[i]) = in[i];", Access::Write, first},
        {one, "if (in[i] > 0) out[0] = 1; out[i] = 1;", Access::Write, first},
        {one, "out[i] = 1; if (in[i] > 0) return; out[i] = 2;", Access::Write, first},
        {one, "for (int k = 0; k < 3; ++k) out[i] = k;", Access::Write, first},
        {one, "for (int k = 0; k < 3; ++k) for (int j = 2; j >= 0; j -= 2) out[i] = k * j;", Access::Write, first},
        {one, "{ out[i] = 1; }", Access::Write, first},
        {one, "int k = 0; do out[i] = k; while (++k < in.extent(0));", Access::Write, first},
        {one, "const auto twice = [](float x) { return 2 * x; }; out[i] = twice(in[i]);", Access::Write, first},
        {one, "struct local { float get() { return 1; } }; out[i] = local{}.get();", Access::Write, first},
        {one, "for (int k = 0; k < 3; ++k) out[k] = 1; out[i] = 2;", Access::Write, first},
        {one, "const auto k = i; out[k] = 1;", Access::Write, first},
        {one, "const std::int64_t k = i; out[k] = 1;", Access::Write, first},
        {one, "std::int64_t k = i[0]; out[k] = k;", Access::Write, first},
        {one, "const int k = i; out(k) = 1;", Access::Write, first},
        {one, "const auto k = static_cast<int>(i[0]); out[k] = 1;", Access::Write, first},
        {one, "out[std::size_t(i)] = 1;", Access::Write, first},
        {"const i1& i, const f1& out", "out[i] = 1;", Access::Write, first},
        {two, "out[at] = in[at];", Access::Write, straight},
        {two, "out(at[0], at[1]) = 1;", Access::Write, straight},
        {two, "out(at[1], at[0]) = 1;", Access::Write, turned},
        {two, "const auto [r, c] = at; out(c, r) = in(r, c);", Access::Write, turned},
        {two, "auto [r, c] = at; out(r, c) = in(r, c);", Access::Write, straight},
        {two, "const auto& [r, c] = at; out(r, c) = in(r - 1, c) + in(r + 1, c);", Access::Write, straight},
        {two, "const int r = at[0], c = at[1]; out(r, c) = in(r, c);", Access::Write, straight},
        {"foldwise::index<3> at, view<float, 3> out", "out(at[2], at[0], at[1]) = 1;", Access::Write, {2, 0, 1}},
    });
}

TEST(ViewUses, EveryTaskAccessesAPartOfItsElement) {
    const char* const one = "i1 i, q1 out, view<const float, 1> in";
    const char* const sums = "i1 i, view<std::uint32_t, 1> out";
    const std::vector<std::uint32_t> none, first = {0};
    std::vector<ViewCase> cases;
    for (const char* body : {
             "for (int k = 0; k < 3; ++k) out[i].x[k] += 2 * out[i].v[k];",
             "out[i].x[0] = 1;",
             "out[i].of[1].a = 1;",
             "++out[i].of[in.extent(0)].a;",
             "out[i].of[1].clear();",
             "out[i].of[0] = pair{1, 2};",
             "auto& q = out[i]; q.x[0] = 1;",
             "auto& q = out[i]; for (int k = 0; k < 3; ++k) q.x[k] += q.v[k];",
             "auto& q = out[i].of[1]; auto& a = q.a; a += 1;",
             "for (float& x : out[i].x) x *= 2;",
             "for (pair& one : out[i].of) one.a += 1;",
         })
        cases.push_back({one, body, Access::ReadWrite, first});
    for (const char* body : {
             "float* x = out[i].x; (void)x;",
             "(void)out[i].x[0];",
             "auto& q = out[i]; (void)q;",
             "auto& q = out[i]; if (in[0] > 0) q.x[0] = 1;",
             "auto& q = out[i]; if (in[0] > 0) return; q.x[0] = 1;",
             "auto& q = out[i + 1]; q.x[0] = 1;",
             "for (float& x : out[i].x) { if (in[0] > 0) break; x *= 2; }",
             "for (int k = 0; k < in[0]; ++k) out[i].x[k] = 1;",
             "const auto set = [&] { out[i].x[0] = 1; }; set();",
             "float* x = &out[i].x[0]; (void)x;",
         })
        cases.push_back({one, body, Access::ReadWrite, none});
    cases.push_back({one, "float s = 0; for (const float x : out[i].x) s += x;", Access::ReadWrite, first});
    cases.push_back({sums, "std::atomic_ref(out[i]).fetch_add(1u);", Access::ReadWrite, first});
    cases.push_back({sums, "if (i > 3) std::atomic_ref(out[i]).fetch_add(1u);", Access::ReadWrite, none});
    compare(cases);
}

TEST(ViewUses, SomeTaskMayNotWriteItsElement) {
    const char* const one = "i1 i, f1 out, view<const float, 1> in";
    const char* const two = "i2 at, f2 out, view<const float, 2> in";
    std::vector<ViewCase> cases;
    for (const char* body : {
             "for (int k = 0; k < in.extent(0); ++k) out[i] = k;",
             "for (int k = 0; k < 0; ++k) out[i] = k;",
             "for (int k = 0; k < 3; ++k) out[i + k] = k;",
             "for (int k = 0; k < 3; ++k) { if (in[k] > 0) continue; out[i] = k; }",
             "for (int k = 0; k < 3; ++k) { if (in[k] > 0) break; out[i] = k; }",
             "for (int k = 0; k < 3; ++k) if (in[k] > 0) out[i] = k;",
             "for (int k = 0; k < 3; ++k) while (in[i] > k) out[i] = k;",
             "do { if (in[i] > 0) continue; out[i] = 1; } while (false);",
             "while (in[i] > 0) out[i] = 1;",
             "switch (int(in[i])) { case 1: out[i] = 1; }",
             "if (in[i] > 0) return; out[i] = 1;",
             "SKIP_IF(in[i] > 0); out[i] = 1;",
             "if (in[i] > 0) goto end; out[i] = 1; end:;",
             "(void)(in[i] > 0 && (out[i] = 1));",
             "out[i + 1] = 1;",
             "out[-i] = 1;",
             "out[0] = 1;",
             "out[std::int64_t(in[i])] = 1;",
             "i[0] += 1; out[i] = 1;",
             "step(i); out[i] = 1;",
             "auto& coordinate = i[0]; coordinate = 3; out[i] = 1;",
             "std::int64_t k = i; k /= 2; out[k] = 1;",
             "std::int64_t k = i; ++k; out[k] = 1;",
             "const std::uint8_t k = i; out[k] = 1;",
             "const short k = i; out[k] = 1;",
             "const std::uint32_t k = i; out[k] = 1;",
             "const bool k = i; out[k] = 1;",
             "const float k = i; out[std::int64_t(k)] = 1;",
             "out[static_cast<unsigned char>(i)] = 1;",
             "out[doubled(i)] = 1;",
             "const doubled k = i; out[k] = 1;",
         })
        cases.push_back({one, body, Access::Write, {}});
    for (const char* body : {
             "out(at[0], at[0]) = 1;",
             "out(at[0], 0) = 1;",
             "out(at[0], at[1] / 2) = 1;",
             "auto [r, c] = at; r += 1; out(r, c) = 1;",
             "auto& [r, c] = at; (void)r; out(c, c) = 1;",
             "int axis = 0; out(at[axis], at[1]) = 1;",
         })
        cases.push_back({two, body, Access::Write, {}});
    cases.push_back({"i2 at, f1 out", "out[at[0]] = 1;", Access::Write, {}});
    compare(cases);
}

TEST(ViewUses, OwnRows) {
    struct {
        const char *parameters, *body;
        bool ownRows;
    } const cases[] = {
        {"i1 i, f1 out", "out[i] = 1;", true},
        {"i1 i, f1 out", "out(i) += out[i] * float(i);", true},
        {"i1 i, f1 out", "if (i > 3 && out.extent(0) > 9) { const std::int64_t k = i; out[k] = 1; }", true},
        {"i1 i, f1 out", "float& x = out[i]; x = square(x); clear(x);", true},
        {"i1 i, p1 out", "out[i].a = out[i].sum();", true},
        {"i2 at, f2 out", "for (int c = 0; c < 4; ++c) out(at[0], c) = out[at] + out(at[0], at[1] / 2);", true},
        {"i2 at, f1 out", "std::atomic_ref(out[at[0]]).fetch_add(1.f);", true},
        {"i2 at, f2 out", "const auto [r, c] = at; out(r, c + 1) = 0;", true},
        {"i1 i, f1 out", "", false},
        {"i1 i, f1 out", "(void)out.extent(0);", false},
        {"i1 i, f1 out", "out[i] = out[i + 1];", false},
        {"i1 i, f1 out", "out[i] = 1; out[0] = 2;", false},
        {"i1 i, f1 out", "i[0] += 1; out[i] = 1;", false},
        {"i1 i, f1 out", "float* x = &out[i]; x[1] = 2;", false},
        {"i1 i, p1 out", "float* x = &out[i].a; x[1] = 2;", false},
        {"i1 i, f1 out", "out.data()[i] = 1;", false},
        {"i1 i, f1 out", "fill(out, i);", false},
        {"i1 i, f1 out", "f1 other = out; other[i] = 1;", false},
        {"i2 at, f2 out", "out(at[1], at[0]) = 0;", false},
        {"i2 at, f1 out", "out[at[1]] = 0;", false},
    };
    for (const auto& [parameters, body, ownRows] : cases) {
        const Parsed parsed = parse(before + "auto k = foldwise::forall([](" + parameters + ") {" + body + "});\n");
        ASSERT_TRUE(parsed.ok) << parsed.messages;
        EXPECT_EQ(parsed.kernel("k").as<ForallSpec>().signatures.front().parameters.front().ownRows, ownRows) << body;
    }
}

TEST(ViewUses, OwnElements) {
    using Axes = std::vector<std::uint32_t>;
    struct {
        const char *parameters, *body;
        Axes own;
        bool isAssigned;
    } const cases[] = {
        {"i1 i, f1 out", "out[i] = 1;", {0}, true},
        {"i1 i, f1 out", "out[i] += 1;", {0}, true},
        {"i1 i, f1 out", "if (i > 3) out[i] = 1;", {0}, false},
        {"i1 i, f1 out", "if (i > 3) return; out[i] = 1;", {0}, false},
        {"i1 i, f1 out", "out[i] = 1; if (i > 3) out[i] = 2 * out[i];", {0}, true},
        {"i1 i, p1 out", "out[i] = out[i];", {0}, true},
        {"i1 i, p1 out", "out[i].a = 2;", {0}, false},
        {"i2 at, f2 out", "out(at[1], at[0]) = out(at[1], at[0]) + 1;", {1, 0}, true},
        {"i2 at, f2 out", "const auto [r, c] = at; out(r, c) = float(out.extent(0));", {0, 1}, true},
        {"i1 i, view<const float, 1> in, f1 out", "out[i] = in[i] * in(i);", {0}, false},
        {"i1 i, view<const float, 1> in, f1 out", "out[i] = square(in[i]);", {0}, false},
        {"i1 i, view<const float, 1> in, f1 out", "out[i] = in[i] + in[i + 1];", {}, false},
        {"i1 i, view<const float, 1> in, f1 out", "const float& x = in[i]; out[i] = x;", {}, false},
        {"i1 i, view<const float, 1> in, f1 out", "out[i] = *(&in[i] + 1);", {}, false},
        {"i2 at, f2 out", "out(at[1], at[0]) = out(at[0], at[1]);", {}, false},
        {"i2 at, f2 out", "out(at[0], 0) = 1;", {}, false},
        {"i1 i, f1 out", "out[i] = 1; clear(out[i]);", {}, false},
        {"i1 i, f1 out", "out[i] = float(out.stride(0));", {}, false},
        {"i1 i, f1 out", "out[i] = 1; fill(out, i);", {}, false},
        {"i1 i, f1 out", "out[i] = 1; out.slice(0, 1, 2)[0] = 2;", {}, false},
        {"i1 i, f1 out", "std::atomic_ref(out[i]).fetch_add(1.f);", {}, false},
        {"i1 i, f1 out", "i[0] += 1; out[i] = 1;", {}, false},
    };
    for (const auto& [parameters, body, own, isAssigned] : cases) {
        const Parsed parsed = parse(before + "auto k = foldwise::forall([](" + parameters + ") {" + body + "});\n");
        ASSERT_TRUE(parsed.ok) << parsed.messages;
        const ForallParameter& view = parsed.kernel("k").as<ForallSpec>().signatures.front().parameters.front();
        EXPECT_EQ(view.own, own) << body;
        EXPECT_EQ(view.isAssigned, isAssigned) << body;
    }
}

TEST(ViewUses, Reach) {
    using Axes = std::vector<std::uint32_t>;
    struct {
        const char* body;
        Axes reach;
    } const cases[] = {
        {"out[at] = in[at];", {}},
        {"out[at] = in(at[0], at[1]) + in(at[1], at[0]);", {}},
        {"out[at] = in(at[0] - 1, at[1]) + in(at[0], at[1] + 2);", {1, 2}},
        {"const auto [r, c] = at; out[at] = in(c + 3, r);", {0, 3}},
        {"out[at] = in(0, at[1] - 1);", {0, 1}},
        {"out[at] = in(at[0] + 9, at[1] + 1);", {0, 1}},
        {"out[at] = in(at[0] * 2, at[1]);", {}},
        {"out[at] = in(std::int64_t(in[at]), at[1] + 1);", {0, 1}},
        {"out[at] = in(at[0] > 0 ? at[0] - 1 : 0, at[1]);", {1, 0}},
    };
    for (const auto& [body, reach] : cases) {
        const Parsed parsed =
            parse(before + "auto k = foldwise::forall([](i2 at, view<const float, 2> in, f2 out) {" + body + "});\n");
        ASSERT_TRUE(parsed.ok) << parsed.messages;
        EXPECT_EQ(parsed.kernel("k").as<ForallSpec>().signatures.front().parameters.front().reach, reach) << body;
    }
}

TEST(ViewUses, ElementsReadUnderConditions) {
    const std::pair<const char*, bool> cases[] = {
        {"out[i] = in[i];", false},
        {"out[i] = in[i] > 0 ? 1 : 2;", false},
        {"if (in[i] > 0) out[i] = 1;", false},
        {"out[i] = i > 3 ? in[i] : 0;", true},
        {"if (i > 3) out[i] = in[i];", true},
        {"out[i] = float(i > 3 && in[i] > 0);", true},
        {"out[i] = float(in[i] > 0 || i > 3);", false},
        {"out[i] = 0; if (i > 3) return; out[i] = in[i];", true},
        {"out[i] = i > 3 ? square(in[i]) : 0;", true},
    };
    for (const auto& [body, isReadSometimes] : cases) {
        const Parsed parsed =
            parse(before + "auto k = foldwise::forall([](i1 i, view<const float, 1> in, f1 out) {" + body + "});\n");
        ASSERT_TRUE(parsed.ok) << parsed.messages;
        EXPECT_EQ(parsed.kernel("k").as<ForallSpec>().signatures.front().parameters.front().isReadSometimes,
                  isReadSometimes)
            << body;
    }
}

TEST(ViewUses, WhatIsNotKnown) {
    const char* const one = "i1 i, f1 out, view<const std::int32_t, 1> in";
    struct {
        const char* body;
        bool isHandedOn, hasDataPlaces, isInLoops;
    } const cases[] = {
        {"out[i] = in[i];", false, false, false},
        {"(void)out.extent(0);", false, false, false},
        {"for (int k = 0; k < 4; ++k) (void)out.extent(0);", false, false, false},
        {"out[in[i]] = 1;", false, true, false},
        {"const auto k = in[i]; out[k / 2 + i] = 1;", false, true, false},
        {"std::int32_t k = 0; k = in[i]; out[k] = 1;", false, true, false},
        {"std::int32_t k = 3; k = k + 1; out[k] = 1;", false, false, false},
        {"out.slice(0, 0, 9)[in[i]] = 1;", false, false, false},  // of a slice only the access is known
        {"for (int k = 0; k < 4; ++k) out[k] = 1;", false, false, true},
        {"int k = 0; while (k < 4) out[k++] = 1;", false, false, true},
        {"for (int k = in[i]; k < 4; ++k) out[k] = 1;", false, true, true},
        {"clear(out[i]);", false, false, false},
        {"fill(out, i);", true, false, false},
        {"f1 other = out; other[i] = 1;", true, false, false},
        {"fill(out.slice(0, 0, 9), i);", true, false, false},
        {"[&] { out[i] = 1; }();", false, false, false},
    };
    for (const auto& [body, isHandedOn, hasDataPlaces, isInLoops] : cases) {
        const Parsed parsed = parse(before + "auto k = foldwise::forall([](" + one + ") {" + body + "});\n");
        ASSERT_TRUE(parsed.ok) << parsed.messages;
        const ForallParameter& out = parsed.kernel("k").as<ForallSpec>().signatures.front().parameters.front();
        EXPECT_EQ(out.isHandedOn, isHandedOn) << body;
        EXPECT_EQ(out.hasDataPlaces, hasDataPlaces) << body;
        EXPECT_EQ(out.isInLoops, isInLoops) << body;
    }
}

TEST(ViewUses, WhichNeighboursTasksTouch) {
    using axes = std::vector<std::uint32_t>;
    const char* const two = "i2 at, f2 out, view<const std::int32_t, 1> in, std::int64_t n";
    struct {
        const char *parameters, *body;
        axes moves;  ///< 2 for none.
    } const cases[] = {
        {two, "out[at] = 1;", {0, 1}},
        {two, "out(at[1], at[0]) = 1;", {1, 0}},
        {two, "const auto [r, c] = at; out(c + 1, r - 1) = 1;", {1, 0}},
        {two, "const int r = at[0]; (void)out(r + n, 3 + at[1]);", {0, 1}},
        {two, "out(at[0], 0) = 1;", {0, 2}},
        {two, "out(2 * at[0], -at[1]) = 1;", {2, 2}},
        {two, "out(in[at[0]], at[1]) = 1;", {2, 1}},
        {two, "if (at[0] > 0) out(at[0] - 1, at[1]) = out(at[1], at[0]);", {0, 1}},
        {two, "for (int k = 0; k < n; ++k) out(at[0], k) = 1;", {0, 2}},
        {two, "out(std::max<std::int64_t>(at[0] - 1, 0), at[1]) = 1;", {0, 1}},
        {two, "const i2 other(at[1], at[0]); out[other] = 1;", {2}},
        {two, "at[0] += 1; out[at] = 1;", {}},
        {two, "(void)out.extent(0);", {}},
        {two, "out.slice(0, 1, 4)[at] = 1;", {}},
    };
    for (const auto& [parameters, body, moves] : cases) {
        const Parsed parsed = parse(before + "auto k = foldwise::forall([](" + parameters + ") {" + body + "});\n");
        ASSERT_TRUE(parsed.ok) << parsed.messages;
        EXPECT_EQ(parsed.kernel("k").as<ForallSpec>().signatures.front().parameters.front().moves, moves) << body;
    }
}

TEST(ViewUses, ReachIsOfDistancesThatNoCallChooses) {
    const auto reachOf = [](const std::string& body) {
        const Parsed parsed = parse(before +
                                    "auto k = foldwise::forall([](i1 i, view<float, 1> out, view<const float, "
                                    "1> in, int half) { " +
                                    body + " });\n");
        EXPECT_TRUE(parsed.ok) << parsed.messages;
        return parsed.kernel("k").as<ForallSpec>().signatures.front().parameters[1].reach;
    };
    using Distances = std::vector<std::uint32_t>;
    EXPECT_EQ(reachOf("out[i] = in[i + 1] - in[i - 2];"), Distances{2});
    EXPECT_EQ(reachOf("const int by = 3; out[i] = in[i + by];"), Distances{3});
    EXPECT_EQ(reachOf("out[i] = in[i];"), Distances{});
    EXPECT_EQ(reachOf("out[i] = in[i] + in[i + half];"), Distances{}) << "in place, halves are added so";
    EXPECT_EQ(reachOf("out[i] = in[i] + in[i + in.extent(0) / 2];"), Distances{});
    EXPECT_EQ(reachOf("out[i] = in[i + half] + in[i + 1];"), Distances{1});
}

TEST(ViewUses, MemberFunctionsOfConstElementsOnlyReadThem) {
    const auto usesOf = [](const std::string& value) {
        const Parsed parsed = parse(before +
                                    "auto k = foldwise::forall([](i1 i, view<float, 1> out, view<const pair, 1> in, "
                                    "view<const foldwise::half, 1> halves) { out[i] = " +
                                    value + "; });\n");
        EXPECT_TRUE(parsed.ok) << parsed.messages;
        return parsed.kernel("k").as<ForallSpec>().signatures.front().parameters;
    };
    using Axes = std::vector<std::uint32_t>;
    EXPECT_EQ(usesOf("in[i].sum()")[1].own, Axes{0});
    EXPECT_EQ(usesOf("in[i + 1].sum() - in[i - 2].sum()")[1].reach, Axes{2});
    EXPECT_EQ(usesOf("(i[0] < 3 ? in[i] : in[i + 1]).sum()")[1].reach, Axes{1});
    EXPECT_EQ(usesOf("2 * halves[i]")[2].own, Axes{0});
    EXPECT_EQ(usesOf("static_cast<float>(halves[i + 1]) + halves[i]")[2].reach, Axes{1});
}
