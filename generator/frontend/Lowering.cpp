// generator/frontend/Lowering.cpp: the parts of lowering that all patterns share: a kernel, its signatures and their
// calls.
#include "Lowering.hpp"

#include "Names.hpp"
#include "RefusedCalls.hpp"
#include "Spelling.hpp"
#include "Types.hpp"
#include "Vocabulary.hpp"
#include "WrittenDeclarations.hpp"

#include <foldwise/detail/limits.hpp>

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/RawCommentList.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

Lowering::Lowering(const KernelSite& site, Sema& sema, Slicer& slicer, Slicer& header)
    : variable_(*site.variable), type_(*site.type), sema_(sema), context_(sema.getASTContext()), slicer_(slicer),
      header_(header), pattern_(site.pattern) {}

Lowering::~Lowering() {
    if (hasErrors_) noteFactory(variable_);
}

DiagnosticBuilder Lowering::complain(SourceLocation at, Message message) const {
    const SourceManager& sources = context_.getSourceManager();
    const SourceRange own = sources.getExpansionRange(variable_.getSourceRange()).getAsRange();
    const bool isOwn = sources.isPointWithin(sources.getExpansionLoc(at), own.getBegin(), own.getEnd());
    const bool isFactorys = isError(message) && !isOwn && factoryOf(variable_);
    hasErrors_ |= isError(message);
    return report(context_.getDiagnostics(), isFactorys ? variable_.getLocation() : at, message);
}

std::optional<KernelSpec> Lowering::begin() {
    if (!checkNames(variable_)) return std::nullopt;
    const bool isStatic = variable_.getStorageClass() == SC_Static;
    if (isStatic || variable_.isInAnonymousNamespace())
        complain(variable_.getLocation(), Message::InternalLinkage) << name() << (isStatic ? 0 : 1);
    slicer_.begin(variable_.getLocation());
    KernelSpec kernel;
    kernel.name = name();
    kernel.place = slicer_.placeOf(variable_.getLocation());
    kernel.comment = comment();
    kernel.isExported = slicer_.isExported(variable_);
    kernel.namespaces = namespacesOf(variable_);
    return kernel;
}

KernelSpec Lowering::finish(KernelSpec kernel, PatternSpec pattern) const {
    kernel.pattern = std::move(pattern);
    kernel.carried = slicer_.carried();
    kernel.library = slicer_.library();
    return kernel;
}

bool Lowering::checkIndexRank(const Callable& callable) const {
    const FunctionDecl* call =
        callable.kind == Callable::Kind::Lambda ? callable.record->getLambdaCallOperator() : callable.onlyCall();
    const std::uint32_t axes = call ? indexRank(*call) : 0;
    if (axes <= detail::max_index_rank) return true;
    complain(call->getParamDecl(0)->getLocation(), Message::IndexRank)
        << name() << axes << detail::max_index_rank << wordFor(*call);
    return false;
}

SourceLocation Lowering::placeOf(QualType signature) const {
    const Expr* initializer = variable_.getInit();
    const auto* call = initializer ? dyn_cast<CallExpr>(initializer->IgnoreUnlessSpelledInSource()) : nullptr;
    const auto* pattern = call ? dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()) : nullptr;
    if (!pattern || signature.isNull()) return variable_.getLocation();
    for (const TemplateArgumentLoc& argument : pattern->template_arguments())
        if (argument.getArgument().getKind() == TemplateArgument::Type &&
            context_.hasSameType(argument.getArgument().getAsType(), signature))
            return argument.getLocation();
    return variable_.getLocation();
}

std::vector<QualType> TypedCall::operands(unsigned first) const {
    if (const QualType named = written.isNull() ? signature : written; !named.isNull())
        return named->castAs<FunctionProtoType>()->getParamTypes().vec();
    std::vector<QualType> types;
    for (const ParmVarDecl* parameter : body->parameters().drop_front(first)) types.push_back(parameter->getType());
    return types;
}

namespace {

/// Looks at what a generic body does with a parameter that has no type, to tell views from single values.
class ParameterUses : public DynamicRecursiveASTVisitor {
  public:
    explicit ParameterUses(const ParmVarDecl& parameter) : parameter_(parameter) {}

    /// Axes of the view that the parameter seems to be, 0 if the body only computes with it. `indexAxes` are those of
    /// the index.
    std::uint32_t axes(std::uint32_t indexAxes) const { return axes_ > 0 ? axes_ : isView_ ? indexAxes : 0; }

    bool VisitArraySubscriptExpr(ArraySubscriptExpr* e) override { return subscribe(e->getLHS(), e->getRHS()); }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* e) override {
        return e->getOperator() != OO_Subscript || e->getNumArgs() != 2 || subscribe(e->getArg(0), e->getArg(1));
    }
    bool VisitCallExpr(CallExpr* e) override {
        if (isa<CXXOperatorCallExpr>(e)) return true;
        if (isParameter(e->getCallee())) axes_ = std::max(axes_, static_cast<std::uint32_t>(e->getNumArgs()));
        return true;
    }
    bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr* e) override {
        isView_ |= !e->isImplicitAccess() && isParameter(e->getBase());
        return true;
    }

  private:
    bool isParameter(const Expr* expression) const {
        const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
        return reference && reference->getDecl() == &parameter_;
    }
    bool subscribe(const Expr* base, const Expr* subscript) {
        if (!isParameter(base)) return true;
        const QualType type = subscript->getType();
        const auto* index = type.isNull() ? nullptr : vocabularyType(type, "index");
        axes_ = std::max(
            axes_, index ? static_cast<std::uint32_t>(index->getTemplateArgs()[0].getAsIntegral().getZExtValue()) : 1);
        return true;
    }

    const ParmVarDecl& parameter_;
    std::uint32_t axes_ = 0;
    bool isView_ = false;
};

}  // namespace

/// What a signature would have for a parameter without a type.
static std::string operandFor(const ParmVarDecl& parameter, const FunctionDecl& body, const SignatureExample& example) {
    if (!example.takesViews) return example.operand.str();
    ParameterUses uses(parameter);
    if (Stmt* block = body.getBody()) uses.TraverseStmt(block);
    const std::uint32_t axes = uses.axes(std::max(indexRank(body), 1u));
    return axes > 0 ? "foldwise::view<" + example.operand.str() + ", " + std::to_string(axes) + ">"
                    : example.operand.str();
}

/// The example with a type of elements that the user has named in place of a signature, if it could be one.
static SignatureExample withElements(SignatureExample example, QualType type, std::string& text,
                                     const ASTContext& context) {
    std::string reason;
    if (!elementType(type, context, reason)) return example;
    text = spelling(type.getNonReferenceType().getUnqualifiedType(), context);
    example.operand = text;
    if (!example.takesViews) example.result = text;
    return example;
}

/// The call that a kernel would be made by with a signature: "foldwise::vectorize<float(float, int)>", with a type for
/// each parameter that has none.
static std::string exampleOf(const Callable& callable, const SignatureExample& example, const ASTContext& context) {
    const FunctionDecl* generic = callable.genericCall();
    if (!generic) generic = callable.onlyCall();
    llvm::ArrayRef<ParmVarDecl*> parameters = generic ? generic->parameters() : llvm::ArrayRef<ParmVarDecl*>();
    if (generic && indexRank(*generic) > 0) parameters = parameters.drop_front();
    std::string operands;
    llvm::ListSeparator comma;
    for (const ParmVarDecl* parameter : parameters) {
        const QualType type = parameter->getType().getNonReferenceType();
        operands += llvm::StringRef(comma).str();
        operands += type->isDependentType() ? operandFor(*parameter, *generic, example) : spelling(type, context);
    }
    if (!generic)
        operands = example.takesViews ? "foldwise::view<" + example.operand.str() + ", 1>" : example.operand.str();
    return (example.keyword + "<" + example.result + "(" + operands + ")>").str();
}

std::vector<TypedCall> Lowering::typedCalls(const Callable& callable, const SignatureExample& example) const {
    std::vector<TypedCall> calls;
    llvm::SmallPtrSet<const Type*, 8> seen;
    for (const ClassTemplateSpecializationDecl* base : basesNamed(type_, "typed_call")) {
        const QualType given = base->getTemplateArgs()[1].getAsType();
        if (!given->isFunctionProtoType()) {
            std::string elements;
            complain(placeOf(given), Message::NotASignature)
                << name() << spelling(given, context_)
                << exampleOf(callable, withElements(example, given, elements, context_), context_);
            return {};
        }
        calls.push_back({base->getTemplateArgs()[1].getAsType(), writtenSignature(calls.size()),
                         calledIn(*base, 0, callable), constantIn(*base, "converts")});
        if (!isNew(calls.back().signature, seen)) return {};
    }
    if (!calls.empty()) return calls;
    if (const FunctionDecl* body = callable.onlyCall()) return {{QualType(), QualType(), body}};
    complain(variable_.getLocation(), Message::GenericWithoutTypes)
        << name() << (example.takesSignatures ? exampleOf(callable, example, context_) : example.keyword.str())
        << (callable.record->isLambda() ? 0 : 1) << (example.takesSignatures ? 0 : 1);
    return {};
}

std::optional<Callable> Lowering::callableOf(const Expr* written) const {
    const SourceLocation place = written ? written->getExprLoc() : variable_.getLocation();
    const QualType type = type_.getTemplateArgs()[0].getAsType();
    if (!instantiateCall(type, place, sema_)) {
        hasErrors_ = true;
        return std::nullopt;
    }
    return findCallable(type, written, place, variable_);
}

std::optional<Callable> Lowering::onlyCallable() const {
    const CallExpr* made = kernelCall(variable_);
    std::optional<Callable> callable = callableOf(made && made->getNumArgs() == 1 ? made->getArg(0) : nullptr);
    if (!callable || !checkIndexRank(*callable)) return std::nullopt;
    return callable;
}

/// The first of two types' elements, or their own elements, that have the same bits and are not the same type.
static std::optional<std::pair<std::string, std::string>> alike(QualType a, QualType b, const ASTContext& context) {
    a = context.getCanonicalType(a.getNonReferenceType()).getUnqualifiedType();
    b = context.getCanonicalType(b.getNonReferenceType()).getUnqualifiedType();
    if (a == b) return std::nullopt;
    const auto* one = dyn_cast_or_null<ClassTemplateSpecializationDecl>(a->getAsCXXRecordDecl());
    const auto* other = dyn_cast_or_null<ClassTemplateSpecializationDecl>(b->getAsCXXRecordDecl());
    if (one && other && isFixedView(a) && isFixedView(b))
        return alike(one->getTemplateArgs()[0].getAsType(), other->getTemplateArgs()[0].getAsType(), context);
    const std::string nameOfA = spelling(a, context), nameOfB = spelling(b, context);
    if (nameOfBits(nameOfA) != nameOfBits(nameOfB)) return std::nullopt;
    return nameOfBits(nameOfA) == nameOfA ? std::pair(nameOfB, nameOfA) : std::pair(nameOfA, nameOfB);
}

void Lowering::complainOfClash(QualType a, QualType b) const {
    const DiagnosticBuilder told = complain(variable_.getLocation(), Message::SameOperands);
    told << spelling(a, context_) << spelling(b, context_) << name();
    const auto *one = a->getAs<FunctionProtoType>(), *other = b->getAs<FunctionProtoType>();
    std::optional<std::pair<std::string, std::string>> found =
        one && other ? std::nullopt : alike(a, b, context_);  // a fold's signature may be its element alone
    if (one && other)
        for (const auto [of, with] : llvm::zip(one->getParamTypes(), other->getParamTypes()))
            if (!found) found = alike(of, with, context_);
    told << (found ? 1 : 0) << (found ? found->first : "") << (found ? found->second : "");
}

/// Whether a signature has an index for its first operand.
static bool beginsWithIndex(QualType signature) {
    const auto* type = signature->castAs<FunctionProtoType>();
    return type->getNumParams() > 0 && isIndex(type->getParamType(0));
}

void Lowering::warnOfNarrowOperands(const TypedCall& call) const {
    const auto* type = call.signature->castAs<FunctionProtoType>();
    const unsigned first = indexRank(*call.body) > 0 ? 1 : 0;
    for (unsigned i = 0; i < type->getNumParams(); ++i) {
        const ParmVarDecl& parameter = *call.body->getParamDecl(first + i);
        const std::optional<Loss> loss = lossOf(type->getParamType(i), parameter.getType(), context_);
        if (!loss) continue;
        complain(parameter.getLocation(), Message::NarrowOperand)
            << parameter.getName() << name()
            << elementName(parameter.getType().getNonReferenceType().getUnqualifiedType(), context_)
            << elementName(type->getParamType(i).getNonReferenceType().getUnqualifiedType(), context_)
            << static_cast<unsigned>(*loss) << 0 << "";
    }
}

void Lowering::warnOfDefaults(const FunctionDecl& body) const {
    for (const ParmVarDecl* parameter : body.parameters())
        if (parameter->hasDefaultArg())
            complain(parameter->getLocation(), Message::DefaultArgument)
                << parameter->getName() << name() << keywordOf(pattern_);
}

bool Lowering::checkCall(const TypedCall& call, const Callable& callable) const {
    if (call.signature.isNull()) {
        if (call.body) warnOfDefaults(*call.body);
        return true;
    }
    const auto* type = call.signature->castAs<FunctionProtoType>();
    const unsigned operands = type->getNumParams();
    // A parameter too many may have been taken for an index, which converts to integers, and an operand too many may be
    // one; only a default can stand for a parameter.
    if (call.body) {
        const unsigned given = (indexRank(*call.body) > 0 ? 1 : 0) + operands;
        if (call.body->getMinRequiredArguments() <= given && given <= call.body->getNumParams()) {
            warnOfNarrowOperands(call);
            return true;
        }
    }
    const FunctionDecl* written = call.body ? call.body : writtenCall(callable);
    const bool takesIndex = written && indexRank(*written) > 0;
    const RefusedCall refused{callable, type->getParamTypes(), "operand", "the signature has", /*mayTakeIndex=*/true};
    if (!call.body && written &&
        llvm::any_of(written->parameters(), [&](const ParmVarDecl* one) { return complainOfHostArray(*one); }))
        return false;
    if (const ParmVarDecl* parameter = call.body ? nullptr : writableParameter(refused)) {
        complainOfReference(*parameter);
        return false;
    }
    std::string reason = whyRefused(refused, sema_);
    if (beginsWithIndex(call.signature) || (call.body && takesIndex && call.body->getNumParams() == operands))
        reason = "the index is no operand, and signatures leave it out";
    else if (written && !takesIndex &&
             llvm::any_of(written->parameters(), [](const ParmVarDecl* one) { return isIndex(one->getType()); }))
        reason = "an index is the first parameter";
    else if (const std::string other = signatureFor(refused, keywordOf(pattern_), type->getReturnType(), context_);
             !other.empty())
        reason += "; " + other;
    complain(callable.place, Message::NoSuchCall)
        << name() << spelling(call.signature, context_) << (reason.empty() ? "no call operator takes them" : reason);
    return false;
}

/// Leaves out the lines that part a file into sections, such as "---- Elementwise": they are about more than one
/// kernel.
static std::string withoutRulers(llvm::StringRef comment) {
    llvm::SmallVector<llvm::StringRef> lines;
    comment.split(lines, '\n');
    llvm::erase_if(lines, [](llvm::StringRef line) {
        line = line.ltrim();
        return line.size() >= 4 && llvm::StringRef("-=*#~").contains(line[0]) &&
               line.take_front(4) == std::string(4, line[0]);
    });
    return llvm::StringRef(llvm::join(lines, "\n")).trim('\n').str();
}

std::string Lowering::comment() const {
    const SourceManager& sources = context_.getSourceManager();
    const auto [file, begin] = sources.getDecomposedExpansionLoc(variable_.getBeginLoc());
    const auto* comments = context_.Comments.getCommentsInFile(file);
    if (!comments || comments->empty() || comments->begin()->first >= begin) return "";
    const RawComment& above = *std::prev(comments->lower_bound(begin))->second;
    const llvm::StringRef text = sources.getBufferData(file);
    const unsigned starts = sources.getFileOffset(above.getBeginLoc()), ends = sources.getFileOffset(above.getEndLoc());
    const llvm::StringRef between = text.slice(ends, begin), before = text.take_front(starts);
    // It stands on lines of its own, and nothing is between it and the variable.
    const bool isDirectlyAbove = between.count('\n') <= 1 && between.find_first_of(";{}#") == llvm::StringRef::npos;
    const bool beginsLine = before.substr(before.rfind('\n') + 1).trim().empty();
    return isDirectlyAbove && beginsLine
               ? llvm::json::fixUTF8(withoutRulers(above.getFormattedText(sources, context_.getDiagnostics())))
               : "";
}

bool Lowering::isNew(QualType signature, llvm::SmallPtrSetImpl<const Type*>& seen) const {
    if (seen.insert(signature.getCanonicalType().getTypePtr()).second) return true;
    complain(variable_.getLocation(), Message::DuplicateSignature) << spelling(signature, context_) << name();
    return false;
}

/// All bases of a class template's specialization with this name, found depth first.
static void collectBases(const CXXRecordDecl& record, llvm::StringRef name,
                         std::vector<const ClassTemplateSpecializationDecl*>& found) {
    for (const CXXBaseSpecifier& base : record.bases()) {
        const auto* type = dyn_cast_or_null<ClassTemplateSpecializationDecl>(base.getType()->getAsCXXRecordDecl());
        if (!type) continue;
        if (type->getName() == name)
            found.push_back(type);
        else
            collectBases(*type, name, found);
    }
}

std::vector<const ClassTemplateSpecializationDecl*> basesNamed(const CXXRecordDecl& record, llvm::StringRef name) {
    std::vector<const ClassTemplateSpecializationDecl*> found;
    collectBases(record, name, found);
    return found;
}

QualType aliasIn(const CXXRecordDecl& typed, llvm::StringRef name) {
    for (const Decl* member : typed.decls())
        if (const auto* alias = dyn_cast<TypeAliasDecl>(member); alias && alias->getName() == name)
            return alias->getUnderlyingType();
    llvm_unreachable("the vocabulary's headers belong to this generator");
}

bool constantIn(const CXXRecordDecl& typed, llvm::StringRef name) {
    const auto* constant = cast<ClassTemplateSpecializationDecl>(aliasIn(typed, name)->getAsCXXRecordDecl());
    return constant->getTemplateArgs()[1].getAsIntegral().getBoolValue();
}

std::uint32_t numberIn(const CXXRecordDecl& typed, llvm::StringRef name) {
    const auto* constant = cast<ClassTemplateSpecializationDecl>(aliasIn(typed, name)->getAsCXXRecordDecl());
    return static_cast<std::uint32_t>(constant->getTemplateArgs()[1].getAsIntegral().getZExtValue());
}

namespace {

/// The call of a function's parameter, whichever way the header typed it.
class ParameterCall : public DynamicRecursiveASTVisitor {
  public:
    explicit ParameterCall(const ParmVarDecl* parameter) : parameter_(parameter) {}
    bool VisitCallExpr(CallExpr* e) override {
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(e);
        const Expr* called = operation ? e->getArg(0) : e->getCallee();
        const auto* reference = dyn_cast<DeclRefExpr>(called->IgnoreParenImpCasts());
        if (reference && reference->getDecl() == parameter_) call = e;
        return call == nullptr;
    }
    const CallExpr* call = nullptr;

  private:
    const ParmVarDecl* parameter_;
};

}  // namespace

const FunctionDecl* calledIn(const CXXRecordDecl& typed, unsigned parameter, const Callable& callable) {
    for (const CXXMethodDecl* method : typed.methods()) {
        if (!method->getIdentifier() || method->getName() != "instantiate") continue;
        const FunctionDecl* definition = nullptr;
        if (!method->isDefined(definition)) return nullptr;
        ParameterCall finder(definition->getParamDecl(parameter));
        finder.TraverseDecl(const_cast<FunctionDecl*>(definition));
        if (!finder.call) return nullptr;
        return isa<CXXOperatorCallExpr>(finder.call) ? finder.call->getDirectCallee() : callable.onlyCall();
    }
    return nullptr;
}

std::uint32_t indexRank(const FunctionDecl& lambda) {
    if (lambda.getNumParams() == 0) return 0;
    const QualType type = lambda.getParamDecl(0)->getType().getNonReferenceType();
    const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!special || special->getQualifiedNameAsString() != "foldwise::index") return 0;
    return static_cast<std::uint32_t>(special->getTemplateArgs()[0].getAsIntegral().getZExtValue());
}

}  // namespace foldwise
