// tests/unit/generator/frontend/References_test.cpp: what the text of single declarations refers to.
#include "frontend/References.hpp"

#include "ast.hpp"

#include <gtest/gtest.h>
#include <llvm/ADT/STLExtras.h>

using namespace foldwise;
using namespace clang;
using Strings = std::vector<std::string>;

namespace {

struct Describe {
    std::string operator()(const reference::Use& use) { return "use " + nameOf(*use.declaration); }
    std::string operator()(const reference::Mention& mention) { return "mention " + nameOf(*mention.declaration); }
    std::string operator()(const reference::Object& object) { return "object " + nameOf(*object.variable); }
    std::string operator()(const reference::FoundBy& found) { return "by " + nameOf(*found.declaration); }
    std::string operator()(const reference::FunctionName& name) { return "name " + nameOf(*name.name->getDecl()); }
    std::string operator()(const reference::Unqualified& name) { return "bare " + nameOf(*name.declaration); }
    std::string operator()(const reference::GlobalScope&) { return "::"; }
    std::string operator()(const reference::Unresolved& name) { return "any " + name.name->getName().getAsString(); }
    std::string operator()(const reference::LambdaName& lambda) {
        return "lambda " + nameOf(*lambda.variable) + (lambda.inConstants ? " while compiling" : "") +
               (lambda.within ? " within " + nameOf(*lambda.within) : "");
    }
    std::string operator()(const reference::Construct& construct) { return "refused " + construct.what.str(); }
    std::string operator()(const reference::ClangsTrait& trait) {
        return std::string("trait ") + getTraitSpelling(trait.trait);
    }
};

/// The references in the declaration of that name.
Strings referencesOf(const std::string& name, const std::string& code) {
    Strings found;
    withAst(code, [&](const Ast& ast) {
        const NamedDecl& named = ast.named(name);
        const auto* function = dyn_cast<FunctionDecl>(&named);
        const Decl* generic = function ? function->getDescribedFunctionTemplate() : nullptr;
        for (const Reference& one : referencesIn(generic ? *generic : named, ast.includes))
            found.push_back((one.isInConstraint ? "asked: " : "") + std::visit(Describe(), one.what));
    });
    return found;
}

TEST(References, AreInTheOrderOfTheText) {
    EXPECT_EQ(referencesOf("f", "struct P { float x; }; float g(float x); constexpr int two = 2;\n"
                                "float f(P p) { return two * g(p.x); }"),
              (Strings{"use P", "use two", "name g", "use g", "use P::x", "use p"}));
}

TEST(References, StopAtOtherTexts) {
    EXPECT_EQ(referencesOf("f", "int h(); int g() { return h(); } int f() { return g(); }"),
              (Strings{"name g", "use g"}));
}

TEST(References, WhatIsOnlyLookedAtIsMentioned) {
    EXPECT_EQ(referencesOf("f", "int g(); int f() { return sizeof(g()) + noexcept(g()); }"),
              (Strings{"name g", "mention g", "name g", "mention g"}));
    EXPECT_EQ(referencesOf("a", "int g(); using a = decltype(g());"), (Strings{"name g", "mention g"}));
}

TEST(References, TellHowANameWasFound) {
    const std::string code = "namespace n { int g(); } using n::g; namespace m = n;\n";
    EXPECT_EQ(referencesOf("f", code + "int f() { return g(); }"), (Strings{"name n::g", "by g", "use n::g"}));
    EXPECT_EQ(referencesOf("f", code + "int f() { return m::g(); }"), (Strings{"name n::g", "use n::g", "by m"}));
    EXPECT_EQ(referencesOf("f", code + "int f() { return ::g(); }"), (Strings{"name n::g", "by g", "use n::g", "::"}));
}

TEST(References, ObjectsAreToldFromValues) {
    const std::string code = "constexpr int two = 2; int g(const int& x);\n";
    EXPECT_EQ(referencesOf("f", code + "int f() { return two; }"), (Strings{"use two"}));
    EXPECT_EQ(referencesOf("f", code + "int f() { return g(two); }"),
              (Strings{"name g", "use g", "object two", "use two"}));
}

TEST(References, InATemplateMayMeanSeveral) {
    EXPECT_EQ(referencesOf("f", "namespace n { int g(int); float g(float); }\n"
                                "template <class T> T f(T x) { return n::g(x); }"),
              (Strings{"any g", "use x"}));
}

TEST(References, ThoseOfConstraintsAreTold) {
    const Strings found = referencesOf("f", "template <class T> constexpr bool good = true;\n"
                                            "template <class T> concept Good = good<T>;\n"
                                            "template <Good T> T f(T x) { return x; }");
    EXPECT_TRUE(llvm::is_contained(found, "asked: use Good"));
    EXPECT_TRUE(llvm::is_contained(found, "use x"));
}

TEST(References, LambdasOfVariablesAreToldFromOtherVariables) {
    const std::string code = "constexpr auto one = [] { return 1; };\n";
    EXPECT_TRUE(llvm::is_contained(referencesOf("f", code + "int f() { return one(); }"), "lambda one"));
    EXPECT_TRUE(llvm::is_contained(referencesOf("n", code + "constexpr int n = one();"), "lambda one while compiling"));
    EXPECT_TRUE(llvm::is_contained(referencesOf("two", code + "const auto two = [] { return 2 * one(); };"),
                                   "lambda one within two"));
}

TEST(References, ConstructsThatDevicesLackAreRefused) {
    EXPECT_EQ(referencesOf("f", "int f(int* p) { if (!p) throw 1; delete p; asm(\"\"); return 0; }"),
              (Strings{"use p", "refused throw", "refused delete", "use p", "refused an asm statement"}));
    EXPECT_EQ(referencesOf("f", "template <class T> void f() { throw 1; }"), Strings())
        << "a template's text is refused where it is instantiated";
    EXPECT_EQ(referencesOf("f", "struct S {}; bool f() { return __is_literal(S); }"),
              (Strings{"trait __is_literal", "use S"}));
}

TEST(References, CalleesAreThoseOfOneBody) {
    withAst("int h(); int g() { return h(); } struct S { int m() { return 1; } };\n"
            "int f() { return g() + S().m(); } int with() { return [] { return g(); }(); }",
            [](const Ast& ast) {
                Strings names;
                const Callees callees = calleesOf(ast.function("f"));
                for (const FunctionDecl* function : callees.functions) names.push_back(nameOf(*function));
                EXPECT_EQ(names, (Strings{"g", "S::m", "S::S"}));
                EXPECT_FALSE(callees.hasLambda);
                EXPECT_TRUE(calleesOf(ast.function("with")).hasLambda);
            });
}

}  // namespace
