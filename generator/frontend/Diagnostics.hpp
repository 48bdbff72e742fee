// generator/frontend/Diagnostics.hpp: the frontend's own messages, printed by Clang's diagnostics engine.
#pragma once

#include "Warnings.hpp"

#include <clang/Basic/Diagnostic.h>

#include <string>

namespace foldwise {

enum class Message {
#define FOLDWISE_DIAGNOSTIC(name, id, level, text) name,
#define FOLDWISE_WARNING(name, id, option, state, summary, text) name,
#include "Diagnostics.def"
};

/// Whether a message is an error whatever the command line says.
bool isError(Message message);

/// Gives the engine what the command line says of our warnings. Clang's -Werror and -w are for its own.
void apply(const WarningOptions& options, clang::DiagnosticsEngine& engine);

/// Starts a message at `location`; its arguments are streamed in, as with Clang's own. The notes that follow a warning
/// which is off are not printed either.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine& engine, clang::SourceLocation location, Message message);

/// The number of a message as it is printed, such as "FW012"; empty for notes and for Clang's own messages.
std::string numberOf(const clang::Diagnostic& message);

}  // namespace foldwise
