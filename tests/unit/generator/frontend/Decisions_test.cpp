// tests/unit/generator/frontend/Decisions_test.cpp: what becomes of single declarations.
#include "frontend/Decisions.hpp"

#include "ast.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using namespace clang;

namespace {

const std::string library = R"(#pragma once
namespace std {
inline namespace v1 {
float sin(float x);
int rand();
constexpr int twice(int x) { return 2 * x; }
template <class F> constexpr int call(F f) { return f(1); }
template <class T> struct plus {};
constexpr int limit = 3;
extern int state;
}
}
)";
const std::map<std::string, std::string> libraryHeaders = {
    {std::string(libraryFolder) + "/maths", library},
    {std::string(libraryFolder) + "/string.h", "struct from_c {};\n"},
    {"own.hpp", "struct in_header { float x; };\n"}};

/// Asks about the declarations of a spec that includes the headers.
void decide(SliceFor purpose, const std::string& code, llvm::function_ref<void(const Decisions&, const Ast&)> test) {
    withAst("#include <maths>\n#include <string.h>\n#include \"own.hpp\"\n" + code, libraryHeaders,
            [&](const Ast& ast) {
                SystemCalls calls(ast.context, ast.includes);
                test(Decisions(ast.includes, calls, purpose), ast);
            });
}

TEST(Decisions, TheUsersDeclarationsAreCarried) {
    decide(
        SliceFor::Kernels,
        "namespace n { float f(float x) { return x; } template <class T> struct Box { T v; }; using A = Box<int>; }\n"
        "constexpr int two = 2; enum Colour { red };",
        [](const Decisions& decisions, const Ast& ast) {
            for (const char* name : {"n::f", "n::Box", "n::A", "two", "Colour", "in_header"})
                EXPECT_EQ(decisions.of(ast.named(name)), Decision(decision::Carry())) << name;
        });
}

TEST(Decisions, WhatIsPartOfOtherTextNeedsNothing) {
    decide(SliceFor::Kernels,
           "template <class T> int f(int parameter) { struct Inner {}; int local = 1; return local; }",
           [](const Decisions& decisions, const Ast& ast) {
               for (const char* name : {"parameter", "local", "Inner", "T"})
                   EXPECT_EQ(decisions.of(ast.named(name)), Decision(decision::None())) << name;
           });
}

TEST(Decisions, WhatKernelsCannotHaveIsRefused) {
    decide(
        SliceFor::Kernels,
        "namespace n { int changing = 1; float declared(float); struct Odd { static constexpr auto held = [] {}; }; }\n"
        "template <class F> struct Of { F f; }; const auto made = Of{[] { return 1; }};\n"
        "int some(); const auto captured = [n = some()] { return n; };",
        [](const Decisions& decisions, const Ast& ast) {
            const auto why = [&](const char* name) { return std::get<Refused>(decisions.of(ast.named(name))); };
            EXPECT_EQ(why("n::changing"), (Refused{Message::MutableGlobal, "n::changing"}));
            EXPECT_EQ(why("n::declared"), (Refused{Message::FunctionWithoutBody, "n::declared"}));
            EXPECT_EQ(why("n::Odd::held"),
                      (Refused{Message::NotInDeviceCode, "'n::Odd::held', a lambda in a static data member,"}));
            EXPECT_EQ(why("made").what, "'made', a variable whose type is made of lambdas,");
            EXPECT_EQ(why("captured").what,
                      "'captured', a lambda whose captures can change or are not known while compiling,");
            EXPECT_EQ(why("std::rand"), (Refused{Message::NoDeviceFunction, "std::rand"}));
            EXPECT_EQ(why("std::state"), (Refused{Message::NoDeviceFunction, "std::state"}));
        });
}

TEST(Decisions, HeadersBringTheLibrary) {
    decide(SliceFor::Kernels, "", [](const Decisions& decisions, const Ast& ast) {
        const auto included = [&](const char* name) {
            return std::get<decision::Include>(decisions.of(ast.named(name)));
        };
        const decision::Include sine = included("std::sin");
        EXPECT_EQ(sine.headers, std::set<std::string>{"<maths>"});
        EXPECT_EQ(sine.library, (LibraryUse{"std::sin", LibrarySource::Cuda}));
        EXPECT_EQ(sine.namespaces.size(), 2u) << "std and v1";
        EXPECT_EQ(included("std::twice").library, (LibraryUse{"std::twice", LibrarySource::Standard}));
        EXPECT_EQ(included("std::limit").library, std::nullopt);
        EXPECT_EQ(included("std::plus").headers, std::set<std::string>{"<functional>"}) << "whoever has it as well";
        EXPECT_EQ(included("from_c").headers, (std::set<std::string>{"<cstring>", "<string.h>"}));
    });
}

TEST(Decisions, ALibrarysFunctionNamesWhatItCallsBack) {
    decide(SliceFor::Kernels,
           "constexpr int f(int x) { return x; }\nint g() { return std::call(f); }\n"
           "struct S { int operator()(int x) const { return x; } };\nint h() { return std::call(S()); }",
           [](const Decisions& decisions, const Ast& ast) {
               std::set<std::string> callbacks;
               for (const char* caller : {"g", "h"})
                   for (const FunctionDecl* callee : calleesOf(ast.function(caller)).functions)
                       if (const auto made = decisions.of(*callee); callee->getNameAsString() == "call")
                           for (const FunctionDecl* callback : std::get<decision::Include>(made).callbacks)
                               callbacks.insert(nameOf(*callback));
               EXPECT_EQ(callbacks, std::set<std::string>{"S::operator()"}) << "a function pointer hides what it calls";
           });
}

TEST(Decisions, OnlyWhatIsComputedWithNeedsABody) {
    decide(SliceFor::Kernels, "float declared(float);", [](const Decisions& decisions, const Ast& ast) {
        EXPECT_EQ(decisions.ofMentioned(ast.function("declared")), Decision(decision::Carry()));
        EXPECT_TRUE(std::holds_alternative<decision::Include>(decisions.ofMentioned(ast.function("std::rand"))));
    });
}

TEST(Decisions, ConstantsOfHeadersAndClassesAreNoObjects) {
    decide(SliceFor::Kernels, "constexpr int two = 2; struct S { static const int n = 1; };",
           [](const Decisions& decisions, const Ast& ast) {
               const auto why = [&](const char* name) { return decisions.asObject(cast<ValueDecl>(ast.named(name))); };
               EXPECT_EQ(why("two"), std::nullopt);
               EXPECT_EQ(why("std::limit"), (Refused{Message::NoDeviceFunction, "std::limit"}));
               EXPECT_EQ(why("S::n"), (Refused{Message::StaticMemberObject, "S::n"}));
           });
}

TEST(Decisions, NothingIsCarriedOutOfALibrarysNamespace) {
    decide(SliceFor::Kernels, "namespace std { struct Mine {}; }\nnamespace n { struct Mine {}; }",
           [](const Decisions& decisions, const Ast& ast) {
               const NamedDecl &inStd = ast.named("std::Mine"), &inN = ast.named("n::Mine");
               EXPECT_EQ(decisions.outOfNamespace(inStd, inStd), (Refused{Message::ForeignNamespace, "std::Mine"}));
               EXPECT_EQ(decisions.outOfNamespace(inN, inN), std::nullopt);
           });
}

TEST(Decisions, AHeaderForCallersIncludesTheUsersHeaders) {
    decide(SliceFor::Header, "struct in_spec {};", [](const Decisions& decisions, const Ast& ast) {
        EXPECT_EQ(decisions.of(ast.named("in_spec")), Decision(decision::Carry()));
        EXPECT_EQ(decisions.of(ast.named("in_header")), Decision(decision::Include{{"\"own.hpp\""}, {}, {}, {}}));
    });
}

}  // namespace
