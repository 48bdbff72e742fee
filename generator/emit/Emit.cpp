// generator/emit/Emit.cpp: decides which template renders which file.
#include "Emit.hpp"

#include "EmitPattern.hpp"
#include "LineDirectives.hpp"
#include "WrapLines.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

constexpr std::size_t columnsOfFiles = 120;

/// What was found and decided, for people and tools beside the build.
std::string reportOf(const UnitSpec& unit) {
    json::Array kernels;
    const std::vector<std::vector<SignaturePlan>> unitPlans = planUnit(unit);
    for (const auto& [kernel, plans] : llvm::zip(unit.kernels, unitPlans)) {
        json::Array signatures;
        const SignaturePlan* next = plans.data();
        forEachSignature(kernel, [&](const auto& signature) {
            const SignaturePlan& plan = *next++;
            json::Object report{{"signature", signature.text},
                                {"kernel", plan.symbol},
                                {"bytes_read_per_element", plan.bytesRead},
                                {"bytes_written_per_element", plan.bytesWritten},
                                {"operations_per_element", toJSON(signature.operations)}};
            for (auto& [key, value] : operandReport(signature)) report[key] = std::move(value);
            signatures.push_back(std::move(report));
        });
        kernels.push_back(json::Object{{"name", kernel.qualifiedName()},
                                       {"pattern", keywordOf(patternOf(kernel))},
                                       {"line", kernel.place.line},
                                       {"signatures", std::move(signatures)}});
    }
    std::string out;
    llvm::raw_string_ostream stream(out);
    stream << llvm::formatv("{0:2}\n", json::Value(json::Object{{"source", llvm::sys::path::filename(unit.source)},
                                                                {"kernels", std::move(kernels)}}));
    return out;
}

}  // namespace

llvm::Expected<std::vector<OutputFile>> emitUnit(const UnitSpec& unit, const Backends& backends,
                                                 const Templates& templates, llvm::StringRef folder) {
    const json::Value host = unitKeys(unit, backends, "");
    const json::Value device = unitKeys(unit, backends, "__device__ ");
    struct Part {
        llvm::StringRef extension;
        const json::Value& keys;
        bool wanted;
    };
    const Part parts[] = {{"hpp", host, true},
                          {"launch.cpp", host, true},
                          {"cu", device, backends.cuda || backends.simulator},
                          {"cpu.cpp", host, backends.cpu},
                          {"simulator.cpp", device, backends.simulator},
                          {"python.cpp", host, backends.python}};
    llvm::SmallString<128> stem(unit.source);
    llvm::sys::path::replace_extension(stem, "");
    std::vector<OutputFile> files;
    for (const Part& part : parts) {
        if (!part.wanted) continue;
        llvm::Expected<std::string> text = templates.render(("kernels." + part.extension).str(), part.keys);
        if (!text) return text.takeError();
        const std::string path = (stem + "." + part.extension).str();
        const std::string wrapped = wrapLines(squeezeBlankLines(*text), columnsOfFiles);
        llvm::SmallString<128> name(folder);
        llvm::sys::path::append(name, llvm::sys::path::filename(path));
        files.push_back({path, resolveLineDirectives(wrapped, name)});
    }
    files.push_back({(stem + ".json").str(), reportOf(unit)});
    return files;
}

}  // namespace foldwise
