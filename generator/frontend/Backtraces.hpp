// generator/frontend/Backtraces.hpp: reduces the compiler's errors in a kernel's lambda to the notes that help the
// user.
#pragma once

#include "Includes.hpp"

#include <clang/Basic/Diagnostic.h>

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace foldwise {

/// Hands messages on to an engine's client, without the notes about how Foldwise's and the standard library's headers
/// came to instantiate a lambda: of a chain of instantiations only the user's own lines are left. What Foldwise's
/// headers assert is reported at the user's line that broke it, once, and so are errors within the standard library's
/// that have one cause. Of what follows from an unknown name in the same statement nothing is told. Where a name is
/// taken by a header of the system, as a kernel's `log` in the global namespace is by <cmath>, or belongs to calls or
/// to another library, a note says what to do. It is the engine's client from its construction to the engine's end.
class Backtraces : public clang::DiagnosticConsumer {
  public:
    /// Makes such a consumer the client of an engine, which adds the numbers of Foldwise's messages to `numbers`. Both
    /// must outlive the compilation's last message.
    static void shorten(clang::DiagnosticsEngine& engine, const Includes& includes, std::set<std::string>& numbers);

    void BeginSourceFile(const clang::LangOptions& options, const clang::Preprocessor* preprocessor) override;
    void EndSourceFile() override;
    void finish() override;
    void clear() override;
    bool IncludeInDiagnosticCounts() const override;
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& message) override;

  private:
    Backtraces(clang::DiagnosticsEngine& engine, const Includes& includes, std::set<std::string>& numbers);
    void takeCounts();
    bool isUsersCode(clang::SourceLocation at) const;
    bool isFoldwisesMacro(const clang::Diagnostic& message) const;
    clang::SourceLocation placeOfTakenName(const clang::Diagnostic& message) const;
    /// Reports it at a place, unless it was reported there before.
    bool reportBrokenRequirement(clang::SourceLocation at);

    clang::DiagnosticsEngine& engine_;   ///< The engine that messages come from.
    unsigned error_ = 0;                 ///< The engine's number of the latest message that is no note.
    clang::SourceLocation place_;        ///< Where that message points.
    clang::SourceLocation unknownName_;  ///< That place, if the message is that there is no such name; else invalid.
    bool isFoldwisesName_ = false;       ///< Whether it would be one of namespace foldwise.
    bool isRepeated_ = false;            ///< Whether the latest message repeats the one before it, at the same place.
    bool isReplaced_ = false;            ///< Whether a requirement has been reported in the latest message's place.
    std::string broken_;  ///< The text of that message, if it is an assertion of Foldwise's headers; else empty.
    std::set<std::pair<clang::SourceLocation, std::string>> told_;  ///< Such texts, and the user's lines.
    std::unique_ptr<clang::DiagnosticConsumer> owned_;              ///< The former client, if the engine owned it.
    clang::DiagnosticConsumer& client_;
    const Includes* includes_;  ///< Null once the source file has ended.
    std::set<std::string>& numbers_;
};

}  // namespace foldwise
