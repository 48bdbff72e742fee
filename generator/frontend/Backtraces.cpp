// generator/frontend/Backtraces.cpp: tells the notes that help users from those that only trace instantiations in
// headers.
#include "Backtraces.hpp"

#include "Diagnostics.hpp"
#include "ForeignForms.hpp"
#include "ForeignWords.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>

namespace foldwise {

using namespace clang;

/// Whether a note says nothing but by which step a template came to be instantiated, or where a header declares what
/// the error is about.
static bool isStep(unsigned note) {
    switch (note) {
    case diag::note_template_class_instantiation_here:
    case diag::note_template_class_instantiation_was_here:
    case diag::note_template_member_class_here:
    case diag::note_template_member_function_here:
    case diag::note_function_template_spec_here:
    case diag::note_template_static_data_member_def_here:
    case diag::note_template_variable_def_here:
    case diag::note_template_nsdmi_here:
    case diag::note_template_type_alias_instantiation_here:
    case diag::note_template_exception_spec_instantiation_here:
    case diag::note_template_requirement_instantiation_here:
    case diag::note_template_requirement_params_instantiation_here:
    case diag::note_default_arg_instantiation_here:
    case diag::note_default_function_arg_instantiation_here:
    case diag::note_explicit_template_arg_substitution_here:
    case diag::note_function_template_deduction_instantiation_here:
    case diag::note_deduced_template_arg_substitution_here:
    case diag::note_prior_template_arg_substitution:
    case diag::note_template_default_arg_checking:
    case diag::note_constraint_substitution_here:
    case diag::note_constraint_normalization_here:
    case diag::note_parameter_mapping_substitution_here:
    case diag::note_concept_specialization_here:
    case diag::note_checking_constraints_for_template_id_here:
    case diag::note_checking_constraints_for_var_spec_id_here:
    case diag::note_checking_constraints_for_class_spec_id_here:
    case diag::note_checking_constraints_for_function_here:
    case diag::note_instantiation_contexts_suppressed:
    case diag::note_expr_evaluates_to:
    case diag::note_availability_specified_here:  // the error has its words
        return true;
    default:
        return false;
    }
}

/// The text of a failed static_assert, as written there; empty for other messages.
static std::string assertedBy(const Diagnostic& message) {
    const bool isSpecific = message.getID() == diag::err_static_assert_requirement_failed;
    if (!isSpecific && message.getID() != diag::err_static_assert_failed) return "";
    const unsigned text = isSpecific ? 2 : 1;
    if (message.getNumArgs() <= text || message.getArgKind(text) != DiagnosticsEngine::ak_std_string) return "";
    return message.getArgStdStr(text);
}

/// The name of what a message misses in namespace foldwise, where it is one that calls are made with; else empty.
static std::string wordOfCalls(const Diagnostic& message) {
    static const llvm::StringSet<> words = {"array", "automatic", "axis",      "by_key",        "copy",     "cpu",
                                            "cuda",  "device",    "empty",     "exclusive",     "executor", "full",
                                            "host",  "initial",   "keepdims",  "pinned_memory", "reverse",  "segments",
                                            "shape", "simulator", "to_device", "zeros"};
    const std::string name = missingMember(message);
    return words.contains(name) ? name : "";
}

void Backtraces::shorten(DiagnosticsEngine& engine, const Includes& includes, std::set<std::string>& numbers) {
    engine.setClient(new Backtraces(engine, includes, numbers), /*ShouldOwnClient=*/true);
}

Backtraces::Backtraces(DiagnosticsEngine& engine, const Includes& includes, std::set<std::string>& numbers)
    : engine_(engine), owned_(engine.takeClient()), client_(*engine.getClient()), includes_(&includes),
      numbers_(numbers) {
    takeCounts();
}

void Backtraces::takeCounts() {
    NumErrors = client_.getNumErrors();
    NumWarnings = client_.getNumWarnings();
}

void Backtraces::BeginSourceFile(const LangOptions& options, const Preprocessor* preprocessor) {
    client_.BeginSourceFile(options, preprocessor);
}

void Backtraces::EndSourceFile() {
    client_.EndSourceFile();
    includes_ = nullptr;
    takeCounts();
}

void Backtraces::finish() {
    client_.finish();
    takeCounts();
}

void Backtraces::clear() {
    client_.clear();
    takeCounts();
}

bool Backtraces::IncludeInDiagnosticCounts() const { return client_.IncludeInDiagnosticCounts(); }

bool Backtraces::isUsersCode(SourceLocation at) const {
    return includes_ && at.isValid() && includes_->isUsersCode(at);
}

/// Whether a message of `#pragma GCC error` comes from a macro that Foldwise's headers define, as __device__ is one.
bool Backtraces::isFoldwisesMacro(const Diagnostic& message) const {
    if (message.getID() != diag::err_pragma_message || !includes_) return false;
    const SourceManager& sources = message.getSourceManager();
    for (SourceLocation at = message.getLocation(); at.isMacroID(); at = sources.getImmediateMacroCallerLoc(at))
        if (includes_->isFoldwises(sources.getSpellingLoc(at))) return true;
    return false;
}

/// Where a user's line declares a name that a header of the system has, if the message is the one that says so.
SourceLocation Backtraces::placeOfTakenName(const Diagnostic& message) const {
    const SourceLocation at = message.getLocation();
    switch (message.getID()) {
    case diag::note_previous_definition:
        return error_ == diag::err_redefinition_different_kind && includes_ && !isUsersCode(at) ? place_
                                                                                                : SourceLocation();
    case diag::note_using_decl_conflict:  // `using foldwise::index` behind <cstring>, which declares a function index
        return includes_ && !isUsersCode(at) ? place_ : SourceLocation();
    case diag::note_using_decl:  // before it
        return error_ == diag::err_using_decl_conflict_reverse && !isUsersCode(place_) ? at : SourceLocation();
    default:
        return {};
    }
}

bool Backtraces::reportBrokenRequirement(SourceLocation at) {
    const std::string broken = std::exchange(broken_, "");
    const bool isNew = told_.emplace(at, broken).second;
    if (isNew) report(engine_, at, Message::Requirement) << broken;
    takeCounts();
    return isNew;
}

/// Whether an error is that a name is declared nowhere, or not in a namespace, after which the parser may not make
/// sense of what is behind it.
static bool isUnknownName(unsigned error) {
    switch (error) {
    case diag::err_no_member:
    case diag::err_no_member_suggest:
    case diag::err_no_member_template:
    case diag::err_no_member_template_suggest:
    case diag::err_undeclared_var_use:
    case diag::err_undeclared_var_use_suggest:
    case diag::err_undeclared_use:
    case diag::err_undeclared_use_suggest:
    case diag::err_no_template:
    case diag::err_no_template_suggest:
        return true;
    default:
        return false;
    }
}

/// Whether the name would be one of namespace foldwise: without it, little of the statement around it makes sense.
static bool isOfFoldwise(const Diagnostic& message) {
    if (!missingMember(message).empty()) return true;
    for (unsigned i = 0; i < message.getNumArgs(); ++i) {
        if (message.getArgKind(i) != DiagnosticsEngine::ak_declcontext) continue;
        const auto* space = dyn_cast<NamespaceDecl>(reinterpret_cast<const DeclContext*>(message.getRawArg(i)));
        if (space && space->getQualifiedNameAsString() == "foldwise") return true;
    }
    return false;
}

/// Whether a place is in the same statement or declaration as another one: no semicolon is between the two but those
/// within braces that begin there, as of a lambda.
static bool isInSameStatement(SourceLocation one, SourceLocation other, const SourceManager& sources) {
    if (one.isInvalid() || other.isInvalid()) return false;
    const auto [file, here] = sources.getDecomposedExpansionLoc(one);
    const auto [otherFile, there] = sources.getDecomposedExpansionLoc(other);
    if (file != otherFile) return false;
    int depth = 0;
    for (const char c : sources.getBufferData(file).slice(std::min(here, there), std::max(here, there))) {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (depth < 0 || (c == ';' && depth == 0)) return false;
    }
    return true;
}

/// Whether a message is about the grammar.
static bool isOfParser(const Diagnostic& message) {
    const unsigned category = DiagnosticIDs::getCategoryNumberForDiag(message.getID());
    return DiagnosticIDs::getCategoryNameFromID(category) == "Parse Issue";
}

/// Whether a warning says that no format of printf's fits a class of Foldwise's, which FW131 refuses in kernels.
static bool isOfPrintedClass(const Diagnostic& message) {
    if (message.getID() != diag::warn_format_conversion_argument_type_mismatch) return false;
    for (unsigned i = 0; i < message.getNumArgs(); ++i) {
        if (message.getArgKind(i) != DiagnosticsEngine::ak_qualtype) continue;
        const QualType type = QualType::getFromOpaquePtr(reinterpret_cast<void*>(message.getRawArg(i)));
        const CXXRecordDecl* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
        if (record && llvm::StringRef(record->getQualifiedNameAsString()).starts_with("foldwise::")) return true;
    }
    return false;
}

void Backtraces::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& message) {
    if (isOfPrintedClass(message)) {
        isRepeated_ = true;  // its notes are left out, too
        return;
    }
    if (!broken_.empty()) {
        // The first line of the user's on the way to the assertion is the one that broke it.
        if (level == DiagnosticsEngine::Note) {
            if (!isUsersCode(message.getLocation())) return;
            reportBrokenRequirement(message.getLocation());
            isReplaced_ = true;
            return;
        }
        reportBrokenRequirement(place_);
    }
    if (isFoldwisesMacro(message)) {
        broken_ = message.getArgStdStr(0);
        reportBrokenRequirement(message.getSourceManager().getExpansionLoc(message.getLocation()));
        return;
    }
    if (level == DiagnosticsEngine::Note) {
        // It points to each lambda that a template is given, whatever the error before it was.
        if (message.getID() == diag::note_template_unnamed_type_here) return;
        const SourceLocation at = message.getLocation();
        if (isStep(message.getID()) && includes_ && (at.isInvalid() || !includes_->isUsersCode(at))) return;
        if (isRepeated_ || (isReplaced_ && !isUsersCode(at))) return;
        // The standard library's operators for everything else, none of which is meant.
        if (error_ == diag::err_typecheck_invalid_operands && includes_ && !isUsersCode(at)) return;
    } else {
        isReplaced_ = false;
        if ((isFoldwisesName_ || isOfParser(message)) && message.hasSourceManager() &&
            isInSameStatement(unknownName_, message.getLocation(), message.getSourceManager())) {
            isRepeated_ = true;
            return;
        }
        unknownName_ = isUnknownName(message.getID()) ? message.getLocation() : SourceLocation();
        isFoldwisesName_ = unknownName_.isValid() && isOfFoldwise(message);
        // Of a function template, the template and its instance are both told to be unavailable.
        isRepeated_ = message.getID() == diag::err_unavailable_message && error_ == diag::err_unavailable_message &&
                      place_ == message.getLocation();
        if (isRepeated_) return;
        error_ = message.getID();
        place_ = message.getLocation();
        if (includes_ && includes_->isFoldwises(place_)) broken_ = assertedBy(message);
        if (includes_ && !isUsersCode(place_)) broken_ += insteadOfStandards(message);
        if (const llvm::StringRef order = insteadOfOrder(message); !order.empty()) {
            broken_ = order;
            if (isUsersCode(place_)) {
                const SourceLocation at = place_;
                isRepeated_ = !reportBrokenRequirement(at);
                isReplaced_ = true;
                return;
            }
        }
        if (!broken_.empty()) return;
    }
    client_.HandleDiagnostic(level, message);
    if (std::string number = numberOf(message); !number.empty()) numbers_.insert(std::move(number));
    if (const SourceLocation taken = placeOfTakenName(message); taken.isValid())
        report(engine_, taken, Message::NameTaken);
    if (const std::string word = wordOfCalls(message); !word.empty()) report(engine_, place_, Message::OfCalls) << word;
    llvm::StringRef words = instead(message);
    if (words.empty()) words = insteadOfForm(message);
    const SourceLocation at = level == DiagnosticsEngine::Note ? message.getLocation() : place_;
    if (!words.empty() && isUsersCode(at)) report(engine_, at, Message::Instead) << words;
    takeCounts();
}

}  // namespace foldwise
