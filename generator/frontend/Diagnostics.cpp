// generator/frontend/Diagnostics.cpp: gives each row of Diagnostics.def its place in Clang's engine.
#include "Diagnostics.hpp"

#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace foldwise {

namespace {

struct Row {
    unsigned id;
    clang::DiagnosticIDs::Level level;
    const char* text;
};

constexpr Row rows[] = {
#define FOLDWISE_DIAGNOSTIC(name, id, level, text) {id, clang::DiagnosticIDs::level, text},
#include "Diagnostics.def"
#undef FOLDWISE_DIAGNOSTIC
};

}  // namespace

clang::DiagnosticBuilder report(clang::DiagnosticsEngine& engine, clang::SourceLocation location, Message message) {
    const Row& row = rows[static_cast<std::size_t>(message)];
    // A note belongs to the message before it, which bears the ID.
    const bool bearsID = row.level != clang::DiagnosticIDs::Note;
    std::string text = row.text;
    if (bearsID) llvm::raw_string_ostream(text) << llvm::format(" [FW%03u]", row.id);
    return engine.Report(location, engine.getDiagnosticIDs()->getCustomDiagID(row.level, text));
}

}  // namespace foldwise
