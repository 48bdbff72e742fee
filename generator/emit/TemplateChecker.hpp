// generator/emit/TemplateChecker.hpp: finds what Mustache would pass over in silence.
#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <map>
#include <string>

namespace foldwise {

/// Checks a template, and the partials it reaches, against the keys that it is about to render.
llvm::Error checkTemplate(const std::map<std::string, std::string>& texts, llvm::StringRef name,
                          const llvm::json::Value& keys);

}  // namespace foldwise
