// generator/frontend/DeviceLibrary.cpp: looks things up in DeviceLibrary.def.
#include "DeviceLibrary.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSwitch.h>

namespace foldwise {

using Parameters = DeviceEntity::Parameters;

static constexpr DeviceEntity table[] = {
#define FOLDWISE_CUDA(name, parameters) {name, Parameters::parameters, "", true},
#define FOLDWISE_ADDED(name, parameters, header) {name, Parameters::parameters, header, false},
#define FOLDWISE_MISSING(name) {name, Parameters::Constant, "", false, true},
#include "DeviceLibrary.def"
};

static bool accepts(Parameters row, llvm::ArrayRef<ParameterKind> parameters) {
    const auto isReal = [](ParameterKind kind) {
        return kind == ParameterKind::Integer || kind == ParameterKind::Floating;
    };
    switch (row) {
    case Parameters::Any:
        return !llvm::is_contained(parameters, ParameterKind::LongDouble);
    case Parameters::Real:
        return llvm::all_of(parameters, isReal);
    case Parameters::Floating:
        return llvm::none_of(parameters, [](ParameterKind kind) {
            return kind == ParameterKind::Integer || kind == ParameterKind::LongDouble;
        });
    case Parameters::TwoReal:
        return parameters.size() <= 2 && llvm::all_of(parameters, isReal);
    case Parameters::Complex:
        return llvm::is_contained(parameters, ParameterKind::Complex);
    case Parameters::Constant:
        return true;
    case Parameters::IntegerPointers:
        return llvm::is_contained(parameters, ParameterKind::IntegerPointer);
    }
    return false;
}

const DeviceEntity* findDeviceEntity(llvm::StringRef name, llvm::ArrayRef<ParameterKind> parameters) {
    static const auto rows = [] {
        llvm::StringMap<llvm::SmallVector<const DeviceEntity*, 2>> byName;
        for (const DeviceEntity& row : table) byName[row.name].push_back(&row);
        return byName;
    }();
    const auto found = rows.find(name);
    if (found == rows.end()) return nullptr;
    for (const DeviceEntity* row : found->second)
        if (accepts(row->parameters, parameters)) return row;
    return nullptr;
}

llvm::StringRef insteadOnDevice(llvm::StringRef name) {
    constexpr llvm::StringRef printing = ": std::printf, of <cstdio>, prints from kernels";
    constexpr llvm::StringRef drawing = ": foldwise::random(seed, number) draws random numbers in kernels";
    constexpr llvm::StringRef fixed = ": use arrays of fixed size, such as std::array, or operands";
    name.consume_front("std::");
    if (name.starts_with("basic_ostream<") || name.contains("_distribution<") || name.contains("_engine<"))
        return name.starts_with("basic_ostream<") ? printing : drawing;
    return llvm::StringSwitch<llvm::StringRef>(name)
        .Cases({"cout", "cerr", "clog", "wcout", "wcerr", "wclog", "operator<<", "endl", "flush", "print", "println"},
               printing)
        .Cases({"puts", "putchar", "putc", "fputs", "fputc", "fwrite", "fprintf", "vprintf", "vfprintf", "wprintf",
                "perror", "fflush", "stdout", "stderr"},
               printing)
        .Cases({"rand", "srand", "random", "drand48", "rand_r"}, drawing)
        .Cases({"malloc", "calloc", "realloc", "free", "aligned_alloc"}, fixed)
        .Cases({"abort", "exit", "quick_exit", "terminate"},
               ": foldwise::fail(\"...\") ends the call with an error in checked builds")
        .Default("");
}

llvm::ArrayRef<DeviceEntity> deviceEntities() { return table; }

}  // namespace foldwise
