// generator/frontend/Diagnostics.hpp: the frontend's own messages, printed by Clang's diagnostics engine.
#pragma once

#include <clang/Basic/Diagnostic.h>

namespace foldwise {

enum class Message {
#define FOLDWISE_DIAGNOSTIC(name, id, level, text) name,
#include "Diagnostics.def"
#undef FOLDWISE_DIAGNOSTIC
};

/// Starts a message at `location`; its arguments are streamed in, as with Clang's own.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine& engine, clang::SourceLocation location, Message message);

}  // namespace foldwise
