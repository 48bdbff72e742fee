// generator/frontend/Warnings.cpp: the table of warnings, and the options that switch them.
#include "Warnings.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FormatVariadic.h>

namespace foldwise {

static constexpr bool On = true, Off = false;

static constexpr Warning table[] = {
#define FOLDWISE_WARNING(name, id, option, state, summary, text) {option, id, state, summary},
#include "Diagnostics.def"
};

llvm::ArrayRef<Warning> warnings() { return table; }

static const Warning* find(llvm::StringRef name) {
    const Warning* found = llvm::find_if(table, [&](const Warning& warning) { return warning.name == name; });
    return found == std::end(table) ? nullptr : found;
}

llvm::Error WarningOptions::add(llvm::StringRef option) {
    llvm::StringRef name = option;
    const bool isPositive = !name.consume_front("no-");
    if (name == "error") {
        areErrors_ = isPositive;
        return llvm::Error::success();
    }
    const bool isOfErrors = name.consume_front("error=");
    if (!find(name))
        return llvm::createStringError(
            llvm::formatv(
                "-W{0}: the generator has no warning '{1}'; it has those of foldwise --list-warnings, and the "
                "compiler's are options of the program's target",
                option, name)
                .str());
    Choice& choice = choices_[name];
    if (isOfErrors) choice.isError = isPositive;
    if (!isOfErrors || isPositive) choice.isOn = isPositive;
    return llvm::Error::success();
}

WarningLevel WarningOptions::levelOf(llvm::StringRef name) const {
    const Choice choice = choices_.lookup(name);
    if (isSilent_ || !choice.isOn.value_or(find(name)->isOn)) return WarningLevel::Off;
    return choice.isError.value_or(areErrors_) ? WarningLevel::Error : WarningLevel::Warning;
}

}  // namespace foldwise
