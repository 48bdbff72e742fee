// generator/frontend/Nesting.cpp: counts levels without recursion, by a list of statements that are still to be
// visited.
#include "Nesting.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <vector>

namespace foldwise {

using namespace clang;

namespace {

/// A statement or a declaration, and how many others it lies in.
struct Level {
    const Stmt* statement;
    const Decl* declaration;
    unsigned levels;
};

class NestingSearch {
  public:
    explicit NestingSearch(const Decl& declaration) { add(declaration, 1); }

    Nesting result() {
        Nesting result;
        while (!rest_.empty()) {
            const Level level = rest_.back();
            rest_.pop_back();
            if (level.levels > result.levels) {
                result.levels = level.levels;
                result.deepest = level.statement ? level.statement->getBeginLoc() : level.declaration->getLocation();
            }
            level.statement ? addParts(*level.statement, level.levels + 1)
                            : addParts(*level.declaration, level.levels + 1);
        }
        return result;
    }

  private:
    void add(const Decl& declaration, unsigned levels) { rest_.push_back({nullptr, &declaration, levels}); }
    void add(const Stmt* statement, unsigned levels) {
        if (statement) rest_.push_back({statement, nullptr, levels});
    }

    void addParts(const Stmt& statement, unsigned levels) {
        if (const auto* declarations = dyn_cast<DeclStmt>(&statement)) {
            for (const Decl* declaration : declarations->decls()) add(*declaration, levels);
            return;
        }
        for (const Stmt* child : statement.children()) add(child, levels);
    }
    void addParts(const Decl& declaration, unsigned levels) {
        if (const auto* constructor = dyn_cast<CXXConstructorDecl>(&declaration))
            for (const CXXCtorInitializer* initializer : constructor->inits()) add(initializer->getInit(), levels);
        if (const auto* function = dyn_cast<FunctionDecl>(&declaration)) {
            if (function->doesThisDeclarationHaveABody()) add(function->getBody(), levels);
        } else if (const auto* variable = dyn_cast<VarDecl>(&declaration)) {
            add(variable->getInit(), levels);
        } else if (const auto* field = dyn_cast<FieldDecl>(&declaration)) {
            add(field->getInClassInitializer(), levels);
        } else if (const auto* pattern = dyn_cast<TemplateDecl>(&declaration)) {
            if (pattern->getTemplatedDecl()) add(*pattern->getTemplatedDecl(), levels);
        } else if (const auto* record = dyn_cast<CXXRecordDecl>(&declaration)) {
            for (const Decl* member : record->decls()) add(*member, levels);
        }
    }

    std::vector<Level> rest_;
};

}  // namespace

const Nesting& Nestings::of(const Decl& declaration) {
    const auto known = known_.find(&declaration);
    return known != known_.end() ? known->second
                                 : known_.emplace(&declaration, NestingSearch(declaration).result()).first->second;
}

Descent::Descent(Nestings& nestings, const Decl& declaration, unsigned& depth)
    : nesting_(nestings.of(declaration)), levels_(nesting_.levels), depth_(depth) {
    depth_ += levels_;
}

}  // namespace foldwise
