// tests/unit/generator/frontend/Reachability_test.cpp: what kernels reach, and from where.
#include "frontend/Reachability.hpp"

#include "frontend/DeclarationOrder.hpp"

#include "ast.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using namespace clang;
using Strings = std::vector<std::string>;

namespace {

const std::map<std::string, std::string> mathsHeader = {
    {std::string(libraryFolder) + "/maths", "namespace std { float sin(float x); int rand();\n"
                                            "template <class F> constexpr int call(F f) { return f(1); } }\n"}};

/// A search in a spec that includes <maths>.
struct Search {
    const Ast& ast;
    SystemCalls calls{ast.context, ast.includes};
    Reachability reachability{Decisions(ast.includes, calls, SliceFor::Kernels),
                              GlobalNames(ast.context, ast.includes, ast.text)};

    void from(const std::string& function) { reachability.reachBody(ast.function(function)); }

    /// What was reached, in the order in which it was.
    Strings names() const {
        Strings names;
        for (const auto& [declaration, route] : reachability.reached().declarations)
            names.push_back(nameOf(*declaration));
        return names;
    }
    /// What the present kernel reached, sorted.
    std::set<std::string> kernels() const {
        std::set<std::string> names;
        for (const Decl* declaration : reachability.ofKernel().declarations) names.insert(nameOf(*declaration));
        return names;
    }
    /// The lines of the references that led to a declaration first, from its own to the kernel's.
    std::vector<unsigned> lines(const std::string& name) const {
        for (const auto& [declaration, route] : reachability.reached().declarations)
            if (nameOf(*declaration) == name) return lines(route);
        return {};
    }
    std::vector<unsigned> lines(const Route* route) const {
        std::vector<unsigned> lines;
        for (; route; route = route->previous)
            lines.push_back(ast.context.getSourceManager().getSpellingLineNumber(route->at) - 1);
        return lines;
    }
    /// What was refused, with the message's argument.
    Strings refused() const {
        Strings whats;
        for (const Refusal& refusal : reachability.reached().refusals) whats.push_back(refusal.why.what);
        return whats;
    }
};

void search(const std::string& code, llvm::function_ref<void(Search&)> test) {
    withAst("#include <maths>\n" + code, mathsHeader, [&](const Ast& ast) {
        Search search{ast};
        test(search);
    });
}

TEST(Reachability, FindsWhatABodyLeadsToAndNothingElse) {
    search("int unused() { return 1; }\nint far() { return 2; }\nint near() { return far(); }\nint start() { return "
           "near(); }",
           [](Search& search) {
               search.from("start");
               EXPECT_EQ(search.names(), (Strings{"far", "near"})) << "what a body needs, before it";
           });
}

TEST(Reachability, KnowsTheWayToEachDeclaration) {
    search("constexpr int two = 2;\n"
           "int far() { return two; }\n"
           "int near() {\n"
           "    return far();\n"
           "}\n"
           "int start() {\n"
           "    return near();\n"
           "}",
           [](Search& search) {
               search.from("start");
               EXPECT_EQ(search.lines("near"), (std::vector<unsigned>{7}));
               EXPECT_EQ(search.lines("far"), (std::vector<unsigned>{4, 7}));
               EXPECT_EQ(search.lines("two"), (std::vector<unsigned>{4, 7})) << "named in far, which line 4 leads to";
           });
}

TEST(Reachability, EndsWhereFunctionsCallEachOther) {
    search("bool odd(int n); bool even(int n) { return n == 0 || odd(n - 1); }\n"
           "bool odd(int n) { return n != 0 && even(n - 1); }\nbool start() { return even(3); }",
           [](Search& search) {
               search.from("start");
               EXPECT_EQ(search.kernels(), (std::set<std::string>{"even", "odd"}));
           });
}

TEST(Reachability, ListsWhatEachKernelReaches) {
    search("int shared() { return 1; } int own() { return 2; }\n"
           "int first() { return shared(); } int second() { return shared() + own() + std::sin(1); }",
           [](Search& search) {
               search.reachability.beginKernel();
               search.from("first");
               EXPECT_EQ(search.kernels(), (std::set<std::string>{"shared"}));
               EXPECT_TRUE(search.reachability.ofKernel().library.empty());
               search.reachability.beginKernel();
               search.from("second");
               EXPECT_EQ(search.kernels(), (std::set<std::string>{"own", "shared"}));
               EXPECT_EQ(search.reachability.ofKernel().library.count("std::sin"), 1u);
               EXPECT_EQ(search.names(), (Strings{"shared", "own"})) << "each is carried along once";
           });
}

TEST(Reachability, DoesNotGoOnIntoWhatIsRefused) {
    search("int helper() { return 1; }\nint changing = helper();\n"
           "int start() {\n    return changing + std::rand();\n}",
           [](Search& search) {
               search.from("start");
               EXPECT_EQ(search.names(), Strings());
               EXPECT_EQ(search.refused(), (Strings{"changing", "std::rand"}));
               EXPECT_EQ(search.reachability.takeRefusals().size(), 2u);
               EXPECT_EQ(search.refused(), Strings()) << "taken";
           });
}

TEST(Reachability, RefusalsKnowTheWay) {
    search("int far() { return std::rand(); }\n"
           "int near() { return far(); }\n"
           "int start() { return near(); }",
           [](Search& search) {
               search.from("start");
               const std::vector<Refusal> refusals = search.reachability.takeRefusals();
               ASSERT_EQ(refusals.size(), 1u);
               EXPECT_EQ(refusals.front().why, (Refused{Message::NoDeviceFunction, "std::rand"}));
               EXPECT_EQ(search.lines(refusals.front().route), (std::vector<unsigned>{2, 3}));
           });
}

TEST(Reachability, WhatALibraryCallsIsTheHostsAsWell) {
    search(
        "struct Scale { int operator()(int x) const { return 2 * x; } };\nint start() { return std::call(Scale()); }",
        [](Search& search) {
            search.from("start");
            const Reached& reached = search.reachability.reached();
            EXPECT_EQ(search.names(), Strings{"Scale"});
            ASSERT_EQ(reached.hostFunctions.size(), 1u);
            EXPECT_EQ(nameOf(**reached.hostFunctions.begin()), "Scale::operator()");
            EXPECT_EQ(reached.headers, std::set<std::string>{"<maths>"});
            EXPECT_EQ(reached.libraryNamespaces.size(), 1u);
        });
}

TEST(Reachability, WhatIsMentionedIsCarriedWithoutABody) {
    search("int declared();\nint start() { return sizeof(declared()); }", [](Search& search) {
        search.from("start");
        EXPECT_EQ(search.names(), Strings{"declared"});
        EXPECT_EQ(search.refused(), Strings());
    });
}

TEST(Reachability, AnUnresolvedNameIsCarriedUnlessOneOfItsMeaningsIs) {
    const std::string overloads =
        "namespace n { inline int g(int x) { return x; } inline float g(float x) { return x; } }\n";
    search(overloads + "template <class T> T f(T x) { if constexpr (sizeof(T) == 8) return n::g(x); else return x; }\n"
                       "int start() { return f(1); }",
           [](Search& search) {
               search.from("start");
               EXPECT_EQ(search.names(), (Strings{"f", "n::g", "n::g"}));
           });
    search(overloads + "template <class T> T f(T x) { return n::g(x); }\nint start() { return f(1); }",
           [](Search& search) {
               search.from("start");
               EXPECT_EQ(search.names(), (Strings{"n::g", "f"}));
           });
}

TEST(Reachability, ConstraintsReachSpecializations) {
    search("template <class T> constexpr bool good = true;\ntemplate <> constexpr bool good<long> = false;\n"
           "template <class T> concept Good = good<T>;\ntemplate <Good T> T f(T x) { return x; }\n"
           "int start() { return f(1); }",
           [](Search& search) {
               search.from("start");
               const Strings names = search.names();
               EXPECT_EQ(std::count(names.begin(), names.end(), "good"), 2);
           });
    search("template <class T> constexpr bool good = true;\ntemplate <> constexpr bool good<long> = false;\n"
           "int start() { return good<int>; }",
           [](Search& search) {
               search.from("start");
               const Strings names = search.names();
               EXPECT_EQ(std::count(names.begin(), names.end(), "good"), 1);
           });
}

TEST(Reachability, LambdasOfVariablesAreFollowedIntoConstants) {
    search("constexpr auto one = [] { return 1; };\nconstexpr auto two = [] { return 2 * one(); };\n"
           "constexpr auto apart = [] { return 3; };\nconstexpr int n = two();\nint start() { return n + apart(); }",
           [](Search& search) {
               search.from("start");
               const LambdaUses& lambdas = search.reachability.reached().lambdas;
               const auto isCalled = [&](const char* name) {
                   return lambdas.isCalledInConstants(*cast<VarDecl>(&search.ast.named(name)));
               };
               EXPECT_TRUE(isCalled("two"));
               EXPECT_TRUE(isCalled("one")) << "two calls it";
               EXPECT_FALSE(isCalled("apart"));
           });
}

TEST(DeclarationOrder, IsThatOfTheSources) {
    search("int first() { return 1; }\nint second() { return first(); }\nint third() { return 3; }\n"
           "int start() { return third() + second(); }",
           [](Search& search) {
               search.from("start");
               EXPECT_EQ(search.names(), (Strings{"third", "first", "second"}));
               Strings names;
               for (const Decl* declaration :
                    inOrder(search.reachability.reached(), search.ast.context, search.ast.includes))
                   names.push_back(nameOf(*declaration));
               EXPECT_EQ(names, (Strings{"first", "second", "third"}));
           });
}

TEST(DeclarationOrder, PutsDirectivesBehindTheirNamespaces) {
    withAst("namespace n { int unused; }\nusing namespace n;\nnamespace n { int used; }\n"
            "namespace m { int other; }\nusing namespace m;",
            [](const Ast& ast) {
                Reached reached;
                reached.declarations.try_emplace(&ast.named("n::used"), nullptr);
                Strings kinds;
                for (const Decl* declaration : inOrder(reached, ast.context, ast.includes))
                    kinds.push_back(declaration->getDeclKindName());
                EXPECT_EQ(kinds, (Strings{"Var", "UsingDirective"})) << "and none for m, of which nothing was reached";
            });
}

}  // namespace
