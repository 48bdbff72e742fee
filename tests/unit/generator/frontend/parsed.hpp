// tests/unit/generator/frontend/parsed.hpp: runs the frontend over a spec that a test spells out.
#pragma once

#include "frontend/Frontend.hpp"

#include "TemporaryFolder.hpp"

#include <map>

namespace foldwise {

/// What the frontend made of a spec.
struct Parsed {
    UnitSpec unit;
    bool ok = false;
    std::string messages;  ///< The errors and warnings that were printed.

    std::vector<std::string> declarations() const;  ///< The texts of the declarations.
    std::vector<std::string> names() const;         ///< The names of the declarations.
    const KernelSpec& kernel(const std::string& name) const;
    const Body& body(const std::string& name) const;            ///< A kernel's body, or its combine.
    const Signature& signature(const std::string& name) const;  ///< A kernel's first signature.
};

/// What a test writes at a mark: `inserted`, in place of the next `removed` characters.
struct Written {
    std::size_t removed = 0;
    std::string inserted;
};

/// The block of a body without its braces, with what is written at the marks of each kind.
std::string blockWith(const std::map<MarkKind, Written>& written, const Body& body);

/// Parses `text`, after a line that includes <foldwise/spec.hpp>, as dir/spec.kernels.cpp below the root folder;
/// `others` are files beside it by name. What precompiled.hpp includes is there before the spec's first line.
Parsed parse(const std::string& text, const std::map<std::string, std::string>& others = {});

/// The same without precompiled headers, as users' specs are parsed: for tests of what headers include.
Parsed parseWithHeaders(const std::string& text, const std::map<std::string, std::string>& others = {});

}  // namespace foldwise
