// generator/frontend/Warnings.hpp: Foldwise's warnings, and the options that switch them. It includes none of Clang's
// headers.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <optional>

namespace foldwise {

/// A warning as users know it.
struct Warning {
    llvm::StringRef name;  ///< What follows -W.
    unsigned id;           ///< 21 of FW021.
    bool isOn;             ///< Whether it is printed without being asked for.
    llvm::StringRef summary;
};

/// All of them, in the order of Diagnostics.def.
llvm::ArrayRef<Warning> warnings();

enum class WarningLevel { Off, Warning, Error };

/// Which warnings are printed, and which of them as errors. As with Clang, later options win over earlier ones, those
/// for one warning over those for all, and -w over everything.
class WarningOptions {
  public:
    /// Takes what follows -W: "name" and "no-name", "error" and "no-error", "error=name" (which turns it on, too) and
    /// "no-error=name". Fails if there is no such warning.
    llvm::Error add(llvm::StringRef option);

    /// -w: no warning at all.
    void silence() { isSilent_ = true; }

    /// `name` is one of warnings().
    WarningLevel levelOf(llvm::StringRef name) const;

  private:
    struct Choice {
        std::optional<bool> isOn;
        std::optional<bool> isError;
    };

    llvm::StringMap<Choice> choices_;
    bool areErrors_ = false;
    bool isSilent_ = false;
};

}  // namespace foldwise
