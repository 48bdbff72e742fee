// tests/unit/generator/frontend/Races_test.cpp: races between tasks, case by case.
#include "parsed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

using namespace foldwise;

namespace {

const std::string before = R"(
#include <algorithm>
#include <cstdint>
#include <utility>
using i1 = foldwise::index<1>;
using i2 = foldwise::index<2>;
using i3 = foldwise::index<3>;
using f1 = foldwise::view<float, 1>;
using f3 = foldwise::view<float, 3>;
using n1 = foldwise::view<const std::int32_t, 1>;
inline std::int64_t place(std::int64_t i) { return i / 2; }
struct four { float of[4]; };
struct two { float a, b; };
union either { float a; int b; };
struct bits { int a : 4, b : 4; };
constexpr int table[] = {1, 2, 3};
)";

struct RaceCase {
    const char* parameters;
    const char* body;
    const char* note;  ///< The note of the expected warning; null: there is none.
};

/// Compares the warnings for these kernels, each on a line of one spec, with those that are expected.
void compare(const std::vector<RaceCase>& cases) {
    std::string text = before;
    for (std::size_t k = 0; k < cases.size(); ++k)
        text += "auto k" + std::to_string(k) + " = foldwise::forall([](" + cases[k].parameters + ") {" + cases[k].body +
                "});\n";
    const Parsed parsed = parse(text);
    ASSERT_TRUE(parsed.ok) << parsed.messages;
    std::size_t line = 2 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
    for (const RaceCase& one : cases) {
        const std::string at = "spec.kernels.cpp:" + std::to_string(line++) + ":";
        std::string notes;
        std::istringstream messages(parsed.messages);
        for (std::string message; std::getline(messages, message);)
            if (message.find(at) != std::string::npos && message.find("note: ") != std::string::npos)
                notes += message.substr(message.find("note: ") + 6) + "\n";
        if (one.note)
            EXPECT_TRUE(notes.starts_with(one.note)) << one.body << "\n" << notes;
        else
            EXPECT_EQ(notes, "") << one.body;
    }
}

}  // namespace

TEST(Races, PlacesAreComputedAsTheTasksDo) {
    compare({
        {"i1 i, f1 v", "v[(i >> 3) - 2] = 1;", "tasks (0) and (1) both write element -2"},
        {"i1 i, f1 v", "v[std::min<std::int64_t>(i, 5)] = 1;", "tasks (5) and (6) both write element 5"},
        {"i1 i, f1 v", "v[i < 3 ? i[0] : 0] = 1;", "tasks (0) and (3) both write element 0"},
        {"i1 i, f1 v", "const int j = i; v[static_cast<std::uint8_t>(j)] = 1;", "tasks (0) and (256) both write"},
        {"i3 i, f3 v", "v(i[0], i[2], 7) = 1;", "tasks (0, 0, 0) and (0, 1, 0) both write element (0, 0, 7)"},
        {"i3 i, f3 v", "v(i[2], i[0], i[1]) = 1;", nullptr},
        {"i1 i, f1 v", "v[i ^ 5] = 1;", nullptr},
        {"i1 i, f1 v", "v[-i + 9] = 1;", nullptr},
        {"i1 i, f1 v, std::int64_t n", "v[i % n] = 1;", nullptr},
    });
}

TEST(Races, WhatCannotBeFollowedIsNone) {
    compare({
        {"i1 i, f1 v", "v[place(i)] = 1;", nullptr},
        {"i1 i, f1 v", "int j = i / 2; j += i; v[j] = 1;", nullptr},
        {"i1 i, f1 v", "[&] { v[0] = 1; }();", nullptr},
        {"i1 i, f1 v", "switch (i) { case 0: v[0] = 1; break; default: v[1] = 1; }", nullptr},
        {"i1 i, f1 v", "for (int k = 0; k < 3; ++k) { if (v[k] > 0) { k += i; return; } v[0] = 2; }", nullptr},
        {"i1 i, f1 v", "v[table[i % 3]] = 1;", nullptr},
    });
}

TEST(Races, GuardsSayWhoComesThere) {
    compare({
        {"i1 i, f1 v", "if (i > 3) v[0] = 1;", "tasks (4) and (5) both write element 0"},
        {"i1 i, f1 v", "if (i > 3) {} else v[0] = 1;", "tasks (0) and (1) both write element 0"},
        {"i1 i, f1 v", "if (i < 2) return; v[0] = 1;", "tasks (2) and (3) both write element 0"},
        {"i1 i, n1 n, f1 v", "if (n[i] > 0) v[0] = 1;", "tasks (0) and (1) both write element 0"},
        {"i1 i, f1 v", "if (i > 3 && i < 5) v[0] = 1;", nullptr},
        {"i1 i, f1 v", "if (!(i == 4)) { return; } v[0] = 1;", nullptr},
        {"i1 i, n1 n, f1 v", "if (n[0] == i) v[0] = 1;", nullptr},
        {"i2 i, f1 v", "for (int k = 0; k < 2; ++k) { if (i[1] != k) continue; if (i[0] == 0) v[k] = 1; }", nullptr},
    });
}

static const char* const meet = "two tasks meet wherever 'n[i]' is the same in both";

TEST(Races, DataMattersWhereElementsAreUpdated) {
    compare({
        {"i1 i, n1 n, f1 v", "v[n[i]] += 1;", meet},
        {"i1 i, n1 n, f1 v", "const auto b = n[i]; v[b % 7] = std::max(v[b % 7], 1.0f);", meet},
        {"i1 i, n1 n, f1 v", "v[place(n[i])] += 1;", meet},
        {"i1 i, n1 n, f1 v", "v[n[i]] = 1;", nullptr},
        {"i1 i, n1 n, f1 v", "v[8 * i + n[i]] += 1;", nullptr},
        {"i1 i, n1 n, f1 v", "for (int k = n[i]; k < n[i + 1]; ++k) v[k] += 1;", nullptr},
    });
}

TEST(Races, ReadsMeetWritesOfOtherTasks) {
    compare({
        {"i1 i, f1 v", "v[i] = v[i + 1];", "task (0) reads element 1, which task (1) writes here"},
        {"i1 i, f1 v", "if (i > 0) v[i] += v[i - 1];", "task (2) reads element 1, which task (1) writes here"},
        {"i3 i, f3 v", "v[i] = v(i[0], i[2], i[1]);", "task (0, 0, 1) reads element (0, 1, 0), which task (0, 1, 0)"},
        {"i1 i, f1 v", "v[i] = v[i / 2] + 1;", "task (1) reads element 0, which task (0) writes here"},
        {"i1 i, f1 v", "auto& a = v[i + 1]; v[i] = a;", "task (0) reads element 1, which task (1) writes here"},
        {"i1 i, f1 v", "v[i] = i % 2 ? v[i - 1] : 1;", "task (1) reads element 0, which task (0) writes here"},
        {"i1 i, f1 v, int n", "if (i + 1 < n) v[i] = v[i + 1];", "task (0) reads element 1, which task (1) writes"},
        {"i1 i, f1 v, f1 w", "v[i] = w[i + 1]; w[i] = v[i - 1];", "task (1) reads element 0, which task (0) writes"},
    });
}

TEST(Races, ReadsOfWhatNoOtherTaskWritesAreNone) {
    compare({
        {"i1 i, f1 v", "v[2 * i] = v[2 * i + 1];", nullptr},
        {"i1 i, f1 v", "v[i] = v[i] + 1;", nullptr},
        {"i1 i, f1 v", "float a = v[7 - i]; v[7 - i] = v[i]; v[i] = a;", nullptr},
        {"i1 i, f1 v", "v[i] = i % 2 ? v[i - 1] : v[i];", nullptr},
        {"i1 i, f1 v", "const float a = v[i]; const float b = i % 2 ? v[i - 1] : a; v[i] = b;", nullptr},
        {"i1 i, f1 v", "v[i] += v[i + 100];", nullptr},
        {"i1 i, f1 v, int n", "v[i] += v[i + n];", nullptr},
        {"i1 i, f1 v, int n", "if (i % 2 == n) v[i] = v[i - 1];", nullptr},
        {"i1 i, f1 v, int n", "if (i % n == 0) v[i] += v[i + n / 2];", nullptr},
        {"i1 i, f1 v, n1 n", "if (n[i] > 0) v[i] = v[i - 1];", nullptr},
        {"i1 i, f1 v, n1 n", "v[i] = n[i] > 0 ? v[i - 1] : 0;", nullptr},
        {"i1 i, f1 v, n1 n", "v[i] = v[n[i]];", nullptr},
        {"i1 i, f1 v", "v[i] = v[place(i)];", nullptr},
        {"i1 i, f1 v, f1 w", "w[i] = v[i + 1];", nullptr},
        {"i1 i, f1 v", "[&] { v[i] = v[i + 1]; }();", nullptr},
    });
}

TEST(Races, PartsOfOneElementAreApart) {
    compare({
        {"i1 i, foldwise::view<four, 1> x", "x(i[0] / 4).of[i[0] % 4] = 1;", nullptr},
        {"i1 i, foldwise::view<four, 1> x", "x(i[0] / 4).of[i[0] % 2] = i[0];",
         "tasks (0) and (2) both write element 0"},
        {"i1 i, foldwise::view<four, 1> x, n1 n", "x(0).of[n[i]] += 1;", meet},
        {"i1 i, foldwise::view<four, 1> x, n1 n", "x(0).of[n[i]] = 1;", nullptr},
        {"i1 i, foldwise::view<four, 1> x, long n", "x(0).of[i[0] / n % 4] = i[0];",
         "tasks (0) and (1) both write element 0 if n is"},
        {"i1 i, foldwise::view<four, 1> x", "auto& one = x(i[0] / 4); one.of[i[0] % 4] += 1;", nullptr},
        {"i1 i, foldwise::view<two, 1> x", "if (i[0] % 2) x(i[0] / 2).a = 1; else x(i[0] / 2).b = 2;", nullptr},
        {"i1 i, foldwise::view<two, 1> x", "if (i[0] % 2) x(i[0] / 2).a = 1; else x(i[0] / 2) = {};",
         "tasks (1) and (0) both write element 0"},
        {"i1 i, foldwise::view<either, 1> x", "if (i[0] % 2) x(i[0] / 2).a = 1; else x(i[0] / 2).b = 2;",
         "tasks (1) and (0) both write element 0"},
        {"i1 i, foldwise::view<bits, 1> x", "if (i[0] % 2) x(i[0] / 2).a = 1; else x(i[0] / 2).b = 2;",
         "tasks (1) and (0) both write element 0"},
        {"i1 i, foldwise::view<two, 1> x", "x[i].a = x(i[0] + 1).b;", nullptr},
        {"i1 i, foldwise::view<two, 1> x", "x[i].a = x(i[0] + 1).a;",
         "task (0) reads element 1, which task (1) writes"},
        {"i1 i, foldwise::view<two, 1> x, foldwise::view<two, 1> y", "x[i].a = 1; y[i] = x(i[0] + 1);",
         "task (0) reads element 1, which task (1) writes"},
    });
}
