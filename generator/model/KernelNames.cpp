// generator/model/KernelNames.cpp: matches names, and suggests similar ones.
#include "KernelNames.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <set>

namespace foldwise {

static llvm::Error noKernel(const std::string& name, const std::set<std::string>& qualified) {
    // As near as a typing mistake: one letter in three.
    unsigned nearest = static_cast<unsigned>(name.size() + 2) / 3 + 1;
    std::string meant;
    for (const std::string& known : qualified) {
        const llvm::StringRef last = llvm::StringRef(known).rsplit(':').second;
        const llvm::StringRef spelled =
            llvm::StringRef(name).contains(':') || last.empty() ? llvm::StringRef(known) : last;
        const unsigned distance = llvm::StringRef(name).edit_distance_insensitive(spelled);
        if (distance >= nearest) continue;
        nearest = distance;
        meant = known;
    }
    const std::string hint = !meant.empty()      ? "did you mean '" + meant + "'?"
                             : qualified.empty() ? "there are none"
                                                 : "there are " + llvm::join(qualified, ", ");
    return llvm::createStringError("there is no kernel '" + name + "': " + hint);
}

/// The one qualified name that a name stands for.
static llvm::Expected<std::string> resolve(const std::string& name, const std::set<std::string>& qualified) {
    if (qualified.contains(name)) return name;
    std::vector<std::string> found;
    for (const std::string& known : qualified)
        if (llvm::StringRef(known).ends_with("::" + name)) found.push_back(known);
    if (found.empty()) return noKernel(name, qualified);
    if (found.size() > 1)
        return llvm::createStringError("'" + name + "' could be any of " + llvm::join(found, ", ") +
                                       ": write more of its name");
    return found.front();
}

llvm::Expected<std::vector<KernelOfUnit>> kernelsNamed(const std::vector<UnitSpec>& units,
                                                       const std::vector<std::string>& names) {
    std::set<std::string> qualified, wanted;
    for (const UnitSpec& unit : units)
        for (const KernelSpec& kernel : unit.kernels) qualified.insert(kernel.qualifiedName());
    for (const std::string& name : names) {
        if (name == "*") {
            wanted = qualified;
            break;
        }
        llvm::Expected<std::string> found = resolve(name, qualified);
        if (!found) return found.takeError();
        wanted.insert(*found);
    }
    std::vector<KernelOfUnit> kernels;
    for (const UnitSpec& unit : units)
        for (const KernelSpec& kernel : unit.kernels)
            if (wanted.contains(kernel.qualifiedName())) kernels.emplace_back(&unit, &kernel);
    return kernels;
}

}  // namespace foldwise
