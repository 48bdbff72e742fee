// generator/emit/TemplateChecker.hpp: reports errors in templates that Mustache ignores, such as unknown keys.
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
