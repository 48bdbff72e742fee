// generator/frontend/PrintedClasses.cpp: looks at the arguments of calls whose functions declare `...`.
#include "PrintedClasses.hpp"

#include "RunTimeVisitor.hpp"
#include "Spelling.hpp"
#include "Vocabulary.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace foldwise {

using namespace clang;

namespace {

class PrintedClasses : public RunTimeVisitor {
  public:
    PrintedClasses(const ASTContext& context, std::vector<Finding>& findings)
        : RunTimeVisitor(context), context_(context), findings_(findings) {}

    bool VisitCallExpr(CallExpr* e) override {
        const FunctionDecl* callee = e->getDirectCallee();
        if (!callee || !callee->isVariadic() || !callee->getIdentifier()) return true;
        for (unsigned i = callee->getNumParams(); i < e->getNumArgs(); ++i)
            if (e->getArg(i)->getType()->isRecordType()) add(*callee, *e->getArg(i)->IgnoreUnlessSpelledInSource());
        return true;
    }

  private:
    /// "i[0]", "i[0] and i[1]".
    std::string coordinates(const std::string& index, unsigned rank) const {
        std::string text = index + "[0]";
        for (unsigned axis = 1; axis < rank; ++axis)
            text += (axis + 1 < rank ? ", " : " and ") + index + "[" + std::to_string(axis) + "]";
        return text;
    }
    static unsigned rankOf(const ClassTemplateSpecializationDecl& type, unsigned argument) {
        return static_cast<unsigned>(type.getTemplateArgs()[argument].getAsIntegral().getZExtValue());
    }
    static std::string elementOf(const std::string& array, unsigned rank) {
        std::string text = array + "(";
        constexpr char names[] = "ijklmnop";
        for (unsigned axis = 0; axis < rank && axis < sizeof(names) - 1; ++axis)
            text += (axis > 0 ? ", " : "") + std::string(1, names[axis]);
        return rank == 1 ? array + "[i]" : text + ")";
    }

    /// The number that an object converts to, as half does to float; null if there is none.
    static QualType numberOf(const CXXRecordDecl& record) {
        for (const NamedDecl* one : record.getDefinition()->getVisibleConversionFunctions()) {
            const auto* conversion = dyn_cast<CXXConversionDecl>(one->getUnderlyingDecl());
            if (conversion && conversion->getConversionType()->isArithmeticType() &&
                !conversion->getConversionType()->isBooleanType())
                return conversion->getConversionType();
        }
        return {};
    }

    std::string instead(const Expr& argument, const std::string& text) const {
        const QualType type = argument.getType();
        if (const ClassTemplateSpecializationDecl* index = vocabularyType(type, "index"))
            return "hand it the coordinates, " + coordinates(text, rankOf(*index, 0)) + ", which are std::int64_t";
        if (const ClassTemplateSpecializationDecl* view = vocabularyType(type, "view"))
            return "hand it elements, as in " + elementOf(text, rankOf(*view, 1)) + ", or " + text + ".extent(0)";
        if (isSharedArray(type)) return "hand it elements, as in " + text + "[i]";
        const CXXRecordDecl& record = *type->getAsCXXRecordDecl();
        if (const QualType number = numberOf(record); !number.isNull())
            return "convert it, as in " + spelling(number.getUnqualifiedType(), context_) + "(" + text + ")";
        for (const FieldDecl* member : record.fields())
            if (member->getAccess() == AS_public && member->getType()->isScalarType() && member->getIdentifier())
                return "hand it members, as in " + text + "." + member->getNameAsString();
        return "hand it numbers";
    }

    void add(const FunctionDecl& callee, const Expr& argument) {
        const std::string text = sourceOf(argument, context_);
        findings_.push_back({Message::PrintedClass,
                             argument.getBeginLoc(),
                             {text, callee.getNameAsString(),
                              spelling(argument.getType().getUnqualifiedType(), context_), instead(argument, text)},
                             argument.getSourceRange(),
                             {}});
    }

    const ASTContext& context_;
    std::vector<Finding>& findings_;
};

}  // namespace

void findPrintedClasses(const FunctionDecl& function, const ASTContext& context, std::vector<Finding>& findings) {
    PrintedClasses(context, findings).visitBody(function);
}

}  // namespace foldwise
