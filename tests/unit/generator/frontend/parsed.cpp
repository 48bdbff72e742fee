// tests/unit/generator/frontend/parsed.cpp: parses specs in a temporary folder, by the public parseSpecs().
#include "parsed.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace foldwise {

std::vector<std::string> Parsed::declarations() const {
    std::vector<std::string> texts;
    for (const Declaration& declaration : unit.declarations) texts.push_back(declaration.text);
    return texts;
}

std::vector<std::string> Parsed::names() const {
    std::vector<std::string> names;
    for (const Declaration& declaration : unit.declarations) names.push_back(declaration.name);
    return names;
}

const KernelSpec& Parsed::kernel(const std::string& name) const {
    for (const KernelSpec& kernel : unit.kernels)
        if (kernel.qualifiedName() == name) return kernel;
    throw std::runtime_error("there is no kernel " + name + ":\n" + messages);
}

/// What is called for each element, index or item, or what combines elements.
static const Body& bodyIn(const auto& pattern) {
    if constexpr (requires { pattern.body; })
        return pattern.body;
    else
        return pattern.parts.combine;
}

const Body& Parsed::body(const std::string& name) const {
    return std::visit([](const auto& pattern) -> const Body& { return bodyIn(pattern); }, kernel(name).pattern);
}

const Signature& Parsed::signature(const std::string& name) const {
    return std::visit([](const auto& pattern) -> const Signature& { return pattern.signatures.at(0); },
                      kernel(name).pattern);
}

std::string blockWith(const std::map<MarkKind, Written>& written, const Body& body) {
    std::string text = body.block;
    for (auto mark = body.marks.rbegin(); mark != body.marks.rend(); ++mark)
        if (const auto one = written.find(mark->kind); one != written.end())
            text.replace(mark->offset, one->second.removed, one->second.inserted);
    return text.substr(1, text.size() - 2);
}

static Parsed parseWith(std::initializer_list<std::string> options, const std::string& text,
                        const std::map<std::string, std::string>& others) {
    TemporaryFolder folder;
    for (const auto& [name, other] : others) folder.write("dir/" + name, other);
    const std::string spec = folder.write("dir/spec.kernels.cpp", "#include <foldwise/spec.hpp>\n" + text);
    testing::internal::CaptureStderr();
    std::vector<std::string> arguments = {"-std=c++20", "-I" FOLDWISE_INCLUDE_DIR, "-Wall"};
    arguments.insert(arguments.end(), options);
    const FrontendResult result = parseSpecs({{spec}, folder.path(""), "", arguments});
    Parsed parsed;
    parsed.messages = testing::internal::GetCapturedStderr();
    parsed.ok = result.ok;
    if (!result.units.empty()) parsed.unit = result.units.front();
    return parsed;
}

Parsed parse(const std::string& text, const std::map<std::string, std::string>& others) {
    return parseWith({"-include-pch", FOLDWISE_PRECOMPILED_SPEC}, text, others);
}

Parsed parseWithHeaders(const std::string& text, const std::map<std::string, std::string>& others) {
    return parseWith({}, text, others);
}

}  // namespace foldwise
