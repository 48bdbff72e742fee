// generator/frontend/Lowering.hpp: what the lowerings of all patterns have in common.
#pragma once

#include "Callable.hpp"
#include "Diagnostics.hpp"
#include "FindKernels.hpp"
#include "RefusedCalls.hpp"
#include "Slicer.hpp"
#include "Types.hpp"

#include <foldwise/detail/limits.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class Sema;
}

namespace foldwise {

/// The bytes of a kernel's parameters that are left for operands beside what says where tasks or items are.
inline constexpr std::size_t mostTaskBytes = detail::kernel_parameter_bytes - detail::forall_grid_bytes;

/// What the vocabulary header's typed_call knows of one signature.
struct TypedCall {
    clang::QualType signature;  ///< The function type that the kernel names; null if the callable is its own.
    clang::QualType written;    ///< `signature` with the user's aliases; null if it is not known how it was written.
    const clang::FunctionDecl* body = nullptr;  ///< What is called with these types, or null: no such call.
    bool converts = true;                       ///< Whether what it returns becomes the signature's result.

    /// The types of the operands, index left out, whose parameters begin with the one numbered `first` of `body`.
    std::vector<clang::QualType> operands(unsigned first) const;
};

/// What a message writes for a kernel that lacks a signature.
struct SignatureExample {
    llvm::StringRef keyword;  ///< "foldwise::vectorize"
    llvm::StringRef result;
    llvm::StringRef
        operand;  ///< The type of an operand that the callable gives no type; a view's elements' if `takesViews`.
    bool takesViews = false;      ///< Whether operands that are subscripted are views of such elements.
    bool takesSignatures = true;  ///< Whether the keyword can be given signatures at all.
};

/// What lowers one kernel, whatever its pattern: it takes lambdas and types apart, has `slicer` carry along what they
/// need and `header` what the kernel's callers need, and reports what is wrong.
class Lowering {
  public:
    Lowering(const KernelSite& site, clang::Sema& sema, Slicer& slicer, Slicer& header);
    Lowering(const Lowering&) = delete;
    Lowering& operator=(const Lowering&) = delete;

    /// Ends what was reported: says which function makes the kernel.
    virtual ~Lowering();

  protected:
    /// Whether the kernel's lambda takes the arrays themselves, as views, and not their elements.
    virtual bool takesViews() const { return false; }

    /// Whether what is called begins with the parameter that the pattern asks for, whatever its other types are. If it
    /// does not, that is reported.
    virtual bool checkFirstParameter(const clang::FunctionDecl&) const { return true; }

    /// The kernel's name, place, namespaces and comment, and its pattern's own part empty. Nothing if the variable is
    /// no kernel's.
    std::optional<KernelSpec> begin();

    /// The kernel with its pattern's own part, and with what all of that has been found to need.
    KernelSpec finish(KernelSpec kernel, PatternSpec pattern) const;

    /// Whether the index that a callable takes, if it takes one, has an axis count that kernels can have; if it has
    /// not, that is reported.
    bool checkIndexRank(const Callable& callable) const;

    /// A type with the aliases by which the kernel's signature of that number is written; null if that is not known.
    clang::QualType writtenSignature(std::size_t number) const;

    /// Takes along the aliases of the user's in a type, for kernels and for their callers.
    void followAliases(clang::TypeLoc type) const;

    /// Whether there is room for the operands of a signature, inputs and outputs; if there is not, that is reported.
    bool checkOperandCount(clang::QualType signature, std::size_t inputs, std::size_t outputs) const;

    /// Whether elements of a signature's operands fit into what CUDA hands to a kernel, and results into what a thread
    /// has; if not, that is reported. `type` is the signature as it is written, or null.
    bool checkOperandSizes(clang::QualType type, const std::vector<Operand>& inputs,
                           const std::vector<Operand>& outputs) const;

    /// Where the kernel's declaration names a signature, as in `vectorize<float(float)>`; else where its variable is.
    clang::SourceLocation placeOf(clang::QualType signature) const;

    /// Whether a signature is not among those seen before; if it is, that is reported.
    bool isNew(clang::QualType signature, llvm::SmallPtrSetImpl<const clang::Type*>& seen) const;

    /// One for each signature, or, without any, the callable itself. Nothing if a generic one has none, or if one is
    /// given twice; that has been reported, with a signature made from `example`.
    std::vector<TypedCall> typedCalls(const Callable& callable, const SignatureExample& example) const;

    /// What is called with each of the types that a kernel is given, or, without any, the callable itself. Nothing if a
    /// generic one has none, or if one is given twice; that has been reported, with the call `example`.
    std::vector<const clang::FunctionDecl*> typedItems(const Callable& callable, llvm::StringRef example) const;

    /// What a kernel calls, which its declaration writes as `written`, or null if it does not write it. Nothing if no
    /// kernel can call it; that has been reported.
    std::optional<Callable> callableOf(const clang::Expr* written) const;

    /// What a kernel is given that calls one thing. Nothing if no kernel can call it; that has been reported.
    std::optional<Callable> onlyCallable() const;

    /// Lowers a kernel that calls one thing, whose pattern has a `body` and `signatures`: its text, and
    /// `lowerSignature` for each of its calls. Nothing if one of them is wrong; that has been reported. `example` is as
    /// for typedCalls.
    template <class Spec>
    std::optional<KernelSpec> lowerCalls(const SignatureExample& example, auto&& lowerSignature,
                                         Halves halves = Halves::AsTheyAre);

    /// Whether the function of a signature can stand beside those of the signatures `before` it; if it cannot, that is
    /// reported. `types` are all of them in Clang's terms.
    template <class Signature>
    bool checkClash(const std::vector<Signature>& before, const Signature& signature,
                    llvm::ArrayRef<clang::QualType> types) const;

    /// Whether a signature's call is one: of an index and its operands. If it is none, that is reported.
    bool checkCall(const TypedCall& call, const Callable& callable) const;

    /// Warns of parameters that hold less than the operands which the signature gives them.
    void warnOfNarrowOperands(const TypedCall& call) const;
    /// Warns of default arguments of a callable whose parameters are all operands, because there are no signatures.
    void warnOfDefaults(const clang::FunctionDecl& body) const;

    /// What a kernel calls: a lambda's text, or the name of what the user has declared.
    Body lowerBody(const Callable& callable, Halves halves = Halves::AsTheyAre) const;

    /// The model's type of elements and accumulators. Nothing if it is none, and `reason` says why.
    std::optional<ElementType> valueType(clang::QualType type, clang::SourceLocation at, std::string& reason,
                                         Tuples tuples) const;

    /// The model's type of elements that callers hold. What it needs of the user's code comes along. Messages end with
    /// `instead`, if there is another type to take.
    std::optional<ElementType> lowerElement(clang::QualType type, clang::SourceLocation at,
                                            Tuples tuples = Tuples::AreOperands, llvm::StringRef instead = "") const;

    /// The type of a parameter: a value's, or that of a fixed-rank view's elements.
    struct ParameterType {
        ElementType element;
        std::uint32_t rank = 0;  ///< The number of a view's axes; 0 for a value.
        bool isConst = false;    ///< Whether it is a view<const T, N>.
    };

    /// The model's type of what a body takes, as a value or as a view. What it needs of the user's code comes along.
    /// Nothing if it is none; that has been reported.
    std::optional<ParameterType> lowerParameterType(clang::QualType type, clang::SourceLocation at) const;

    /// Gives an element's type the alias of the user's by which it is written, if it is by one that callers can name.
    void addAlias(ElementType& element, clang::QualType written) const;

    /// Begins a signature: its inputs have the names of this function's parameters, its outputs those given or "out".
    /// Types of these names are written otherwise.
    void beginSignature(const clang::FunctionDecl* body, const std::vector<std::string>& outputs = {});

    /// Has emitted code name a type by a text that no name of emitted functions hides. Whether there is one; if not,
    /// that is reported.
    bool nameApart(ElementType& element, clang::QualType type) const;

    /// A parameter's name, or one for a parameter without; `number` is its own among the operands.
    std::string operandName(const clang::ParmVarDecl& parameter, unsigned number) const;

    /// Whether a parameter is an array as a host holds one, such as a std::vector, which no kernel takes; that has been
    /// reported then.
    bool complainOfHostArray(const clang::ParmVarDecl& parameter) const;
    /// Whether no parameter of a body that takes views is such an array, or one that an argument could be written
    /// through. All that are have been reported then.
    bool checkParameters(const clang::FunctionDecl& body) const;

    /// Reports a parameter that an argument could be written through.
    void complainOfReference(const clang::ParmVarDecl& parameter) const;

    bool addOperand(std::vector<Operand>& operands, std::string name, clang::QualType type, clang::SourceLocation at,
                    Tuples tuples = Tuples::AreOperands) const;

    /// The inputs of a signature, named as the parameters of `body` from the one numbered `first` on.
    bool addInputs(std::vector<Operand>& inputs, const clang::FunctionDecl& body, unsigned first,
                   llvm::ArrayRef<clang::QualType> types) const;

    /// Reports what is wrong at a place. An error in the lambda of a kernel that a function makes is reported at the
    /// kernel.
    clang::DiagnosticBuilder complain(clang::SourceLocation at, Message message) const;
    std::string name() const { return variable_.getNameAsString(); }

    const clang::VarDecl& variable_;
    const clang::ClassTemplateSpecializationDecl& type_;
    clang::Sema& sema_;
    clang::ASTContext& context_;
    Slicer& slicer_;
    Slicer& header_;

  private:
    std::string comment() const;
    bool isHiding(llvm::StringRef name) const;

    void complainOfClash(clang::QualType a, clang::QualType b) const;

    const Pattern pattern_;
    std::set<std::string> operandNames_;
    mutable bool hasErrors_ = false;                        // reported by complain()
    mutable std::set<clang::SourceLocation> pointersTold_;  // by other signatures
};

/// All bases of a class that are specializations of the template with this name, in their order.
std::vector<const clang::ClassTemplateSpecializationDecl*> basesNamed(const clang::CXXRecordDecl& record,
                                                                      llvm::StringRef name);

/// What the vocabulary's headers say of a signature: a type alias, and the value of one that names a bool_constant.
clang::QualType aliasIn(const clang::CXXRecordDecl& typed, llvm::StringRef name);
bool constantIn(const clang::CXXRecordDecl& typed, llvm::StringRef name);

/// The value of an alias in the vocabulary's headers that names a std::integral_constant of int.
std::uint32_t numberIn(const clang::CXXRecordDecl& typed, llvm::StringRef name);

/// What the method `instantiate` calls when it calls its parameter of that number, which is `callable`; null if it does
/// not.
const clang::FunctionDecl* calledIn(const clang::CXXRecordDecl& typed, unsigned parameter, const Callable& callable);

/// "float(float x, float y)", for people.
std::string signatureText(const std::vector<Operand>& inputs, const std::vector<Operand>& outputs, bool isTuple);

/// Whether a parameter of this type is a foldwise::view of fixed rank.
bool isFixedView(clang::QualType type);

/// Whether it is one whose elements can be written.
bool isMutableView(clang::QualType type);

/// The axes of the foldwise::index that a lambda takes first; 0 if it takes none.
std::uint32_t indexRank(const clang::FunctionDecl& lambda);

template <class Signature>
bool Lowering::checkClash(const std::vector<Signature>& before, const Signature& signature,
                          llvm::ArrayRef<clang::QualType> types) const {
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!clash(before[i], signature)) continue;
        complainOfClash(types[i], types.back());
        return false;
    }
    return true;
}

template <class Spec>
std::optional<KernelSpec> Lowering::lowerCalls(const SignatureExample& example, auto&& lowerSignature, Halves halves) {
    const std::optional<Callable> callable = onlyCallable();
    std::optional<KernelSpec> kernel = callable ? begin() : std::nullopt;
    if (!kernel) return std::nullopt;
    const clang::FunctionDecl* written = writtenCall(*callable);
    if (written && !checkFirstParameter(*written)) return std::nullopt;
    const std::vector<TypedCall> calls = typedCalls(*callable, example);
    if (calls.empty()) return std::nullopt;
    Spec spec;
    std::vector<clang::QualType> types;
    for (const TypedCall& call : calls) {
        auto signature = lowerSignature(call, *callable);
        types.push_back(call.signature);
        if (!signature || !checkClash(spec.signatures, *signature, types)) return std::nullopt;
        spec.signatures.push_back(std::move(*signature));
    }
    spec.body = lowerBody(*callable, halves);
    return finish(std::move(*kernel), std::move(spec));
}

}  // namespace foldwise
