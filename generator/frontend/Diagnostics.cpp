// generator/frontend/Diagnostics.cpp: registers the rows of Diagnostics.def as custom diagnostics of Clang's
// DiagnosticsEngine, and reports them there.
#include "Diagnostics.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FormatVariadic.h>

namespace foldwise {

using Level = clang::DiagnosticIDs::Level;

namespace {

/// A row of Diagnostics.def.
struct Row {
    unsigned id;         ///< The number in "[FW012]".
    Level level;         ///< The level without options.
    const char* option;  ///< A warning's name for -W; null for other messages.
    const char* text;    ///< The message, in the format language of Clang's diagnostics.
};

/// All rows, indexed by Message.
constexpr Row rows[] = {
#define FOLDWISE_DIAGNOSTIC(name, id, level, text) {id, Level::level, nullptr, text},
#define FOLDWISE_WARNING(name, id, option, state, summary, text) {id, Level::Warning, option, text},
#include "Diagnostics.def"
};

/// The engine's number of the custom diagnostic for a row at a level. The engine has one for each pair of level and
/// text, which it adds if there is none yet.
unsigned customDiagnosticOf(const Row& row, Level level, clang::DiagnosticsEngine& engine) {
    std::string suffix;
    // A note belongs to the message before it, which ends in the ID.
    if (level != Level::Note) suffix = llvm::formatv(" [FW{0:03}", row.id);
    if (row.option) suffix += level == Level::Error ? ", -Werror" : "";
    if (row.option) suffix += llvm::formatv(", -W{0}", row.option);
    if (!suffix.empty()) suffix += "]";
    return engine.getDiagnosticIDs()->getCustomDiagID(level, row.text + suffix);
}

clang::diag::Severity severityOf(WarningLevel level) {
    switch (level) {
    case WarningLevel::Off:
        return clang::diag::Severity::Ignored;
    case WarningLevel::Warning:
        return clang::diag::Severity::Warning;
    case WarningLevel::Error:
        return clang::diag::Severity::Error;
    }
    llvm_unreachable("a level without a severity");
}

}  // namespace

bool isError(Message message) { return rows[static_cast<std::size_t>(message)].level == Level::Error; }

void apply(const WarningOptions& options, clang::DiagnosticsEngine& engine) {
    for (const Row& row : rows)
        if (row.option)
            engine.setSeverity(customDiagnosticOf(row, row.level, engine), severityOf(options.levelOf(row.option)), {});
}

clang::DiagnosticBuilder report(clang::DiagnosticsEngine& engine, clang::SourceLocation location, Message message) {
    const Row& row = rows[static_cast<std::size_t>(message)];
    unsigned number = customDiagnosticOf(row, row.level, engine);
    // A warning that options make an error is another custom diagnostic, whose text says -Werror, too.
    const bool isPromoted =
        row.option && engine.getDiagnosticLevel(number, location) >= clang::DiagnosticsEngine::Error;
    if (isPromoted) number = customDiagnosticOf(row, Level::Error, engine);
    return engine.Report(location, number);
}

std::string numberOf(const clang::Diagnostic& message) {
    llvm::SmallString<256> text;
    message.FormatDiagnostic(text);
    const std::size_t bracket = text.str().rfind(" [FW");
    return bracket == llvm::StringRef::npos
               ? ""
               : text.str().substr(bracket + 2).take_until([](char c) { return c == ',' || c == ']'; }).str();
}

}  // namespace foldwise
