// generator/frontend/Diagnostics.cpp: gives each row of Diagnostics.def its place in Clang's engine.
#include "Diagnostics.hpp"

#include <llvm/Support/FormatVariadic.h>

namespace foldwise {

using Level = clang::DiagnosticIDs::Level;

namespace {

struct Row {
    unsigned id;
    Level level;
    const char* option;  ///< What turns it on and off, after -W; null if it is no warning.
    const char* text;
};

constexpr Row rows[] = {
#define FOLDWISE_DIAGNOSTIC(name, id, level, text) {id, Level::level, nullptr, text},
#define FOLDWISE_WARNING(name, id, option, state, summary, text) {id, Level::Warning, option, text},
#include "Diagnostics.def"
};

/// The engine's number for a message: it is told apart by level and text.
unsigned numberOf(const Row& row, Level level, clang::DiagnosticsEngine& engine) {
    std::string suffix;
    // A note belongs to the message before it, which bears the ID.
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
            engine.setSeverity(numberOf(row, row.level, engine), severityOf(options.levelOf(row.option)), {});
}

clang::DiagnosticBuilder report(clang::DiagnosticsEngine& engine, clang::SourceLocation location, Message message) {
    const Row& row = rows[static_cast<std::size_t>(message)];
    unsigned number = numberOf(row, row.level, engine);
    const bool isPromoted =
        row.option && engine.getDiagnosticLevel(number, location) >= clang::DiagnosticsEngine::Error;
    if (isPromoted) number = numberOf(row, Level::Error, engine);
    return engine.Report(location, number);
}

}  // namespace foldwise
