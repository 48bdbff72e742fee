// generator/model/Measured.cpp: reads the JSON of bench/results_file.py.
#include "Measured.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>

#include <cmath>

namespace foldwise {

namespace json = llvm::json;

bool Measured::isOf(const Gpu& model) const {
    // "NVIDIA GeForce RTX 4090" has the words of rtx4090 side by side; "NVIDIA L40S" has no word l4.
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(gpu, words, " -");
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string next = i + 1 < words.size() ? words[i + 1].str() : "";
        if (model.name.equals_insensitive(words[i]) || model.name.equals_insensitive(words[i].str() + next))
            return true;
    }
    return false;
}

std::vector<MeasuredCall> Measured::find(llvm::StringRef kernel, std::uint64_t elements, double bytesPerElement) const {
    std::vector<MeasuredCall> found;
    const double bytes = bytesPerElement * static_cast<double>(elements);
    llvm::copy_if(calls, std::back_inserter(found), [&](const MeasuredCall& call) {
        return call.kernel == kernel && call.elements == elements && std::abs(call.bytes - bytes) <= bytes / 100;
    });
    return found;
}

llvm::Expected<Measured> parseMeasured(llvm::StringRef text) {
    llvm::Expected<json::Value> value = json::parse(text);
    if (!value) return value.takeError();
    const json::Object* run = value->getAsObject();
    const auto gpu = run ? run->getString("gpu") : std::nullopt;
    const json::Array* cells = run ? run->getArray("cells") : nullptr;
    if (!gpu) return llvm::createStringError("it has no \"gpu\", so it is no result of a GPU's benchmarks");
    if (!cells) return llvm::createStringError("it has no \"cells\"");
    Measured measured{gpu->str(), {}};
    for (const json::Value& element : *cells) {
        const json::Object* cell = element.getAsObject();
        if (!cell || cell->getString("impl") != "foldwise") continue;
        const auto name = cell->getString("case"), type = cell->getString("type");
        const auto elements = cell->getInteger("n");
        const auto bytes = cell->getNumber("bytes"), microseconds = cell->getNumber("us");
        if (!microseconds) continue;  // the cell says why
        if (!name || !type || !elements || *elements <= 0 || !bytes || *microseconds <= 0)
            return llvm::createStringError("a cell of Foldwise's lacks its case, type, n, bytes or a time");
        measured.calls.push_back(
            {name->str(), type->str(), static_cast<std::uint64_t>(*elements), *bytes, *microseconds * 1e-6});
    }
    return measured;
}

}  // namespace foldwise
