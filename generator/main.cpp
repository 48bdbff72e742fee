// generator/main.cpp: the command line. Its exit status is 0, or 1 if a spec has errors, or 2 if the command line has.
#include "DeepStack.hpp"
#include "InstalledFiles.hpp"
#include "emit/Emit.hpp"
#include "emit/Explain.hpp"
#include "frontend/CompilerOptions.hpp"
#include "frontend/Frontend.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

using namespace foldwise;
namespace cl = llvm::cl;
namespace sys = llvm::sys;

namespace {

constexpr int done = 0, wrongSpec = 1, wrongCall = 2;

enum class Backend { Cuda, Cpu, Simulator };
enum class Stage { Files, Spec };
enum class SourcePaths { Relative, Absolute };

cl::OptionCategory category("Foldwise");
cl::list<std::string> sources(cl::Positional, cl::desc("file.cpp... -- <clang arguments>"), cl::cat(category));
cl::list<Backend>
    backendNames("backend", cl::CommaSeparated, cl::cat(category),
                 cl::desc("Backends to generate for (default: cuda,cpu)"),
                 cl::values(clEnumValN(Backend::Cuda, "cuda", "CUDA kernels for nvcc"),
                            clEnumValN(Backend::Cpu, "cpu", "OpenMP SIMD loops"),
                            clEnumValN(Backend::Simulator, "simulator", "the CUDA kernels, compiled for the host")));
cl::opt<std::string> outDir("out-dir", cl::value_desc("dir"), cl::cat(category), cl::desc("Folder to write into"));
cl::opt<std::string> root("root", cl::value_desc("dir"), cl::cat(category),
                          cl::desc("Folder that the outputs' folders are relative to (default: each source's own)"));
cl::opt<bool> flat("flat", cl::cat(category),
                   cl::desc("Write all outputs into --out-dir itself, whatever folders below --root sources are in"));
cl::opt<SourcePaths>
    sourcePaths("source-paths", cl::cat(category), cl::init(SourcePaths::Relative),
                cl::desc("How generated files name yours, in #line directives and for __FILE__"),
                cl::values(clEnumValN(SourcePaths::Relative, "relative", "by their paths below --root (default)"),
                           clEnumValN(SourcePaths::Absolute, "absolute",
                                      "by absolute paths, which debuggers and sanitizers find from any folder")));
cl::opt<std::string> depfile("depfile", cl::value_desc("file"), cl::cat(category),
                             cl::desc("Write the files that were read, in Make's syntax"));
cl::opt<std::string>
    buildPath("p", cl::value_desc("build dir"), cl::cat(category),
              cl::desc("Take what matters to a spec of the options in this folder's compile_commands.json"));
cl::opt<std::string> compilerOptions("compiler-options", cl::value_desc("file"), cl::cat(category),
                                     cl::desc("Take what matters to a spec of the options for the program's compiler, "
                                              "GCC or Clang, in this file: one on each line"));
cl::opt<std::string> nvccOptionsFile("nvcc-options", cl::value_desc("file"), cl::cat(category),
                                     cl::desc("Write what nvcc needs of them, for its --options-file"));
cl::opt<Stage> stage("emit", cl::cat(category), cl::init(Stage::Files), cl::desc("What to emit"),
                     cl::values(clEnumValN(Stage::Files, "files", "sources, into --out-dir (default)"),
                                clEnumValN(Stage::Spec, "spec", "what was understood, as JSON on stdout")));
cl::opt<std::string> fromSpec("from-spec", cl::value_desc("file"), cl::cat(category),
                              cl::desc("Emit from the JSON of --emit=spec instead of sources"));
cl::opt<std::string> templatesDir("templates", cl::value_desc("dir"), cl::cat(category),
                                  cl::desc("Use this folder's templates instead of the built-in ones"));
cl::list<std::string> explained("explain", cl::value_desc("kernel"), cl::cat(category),
                                cl::desc("Print what was understood of a kernel and what was decided, and write "
                                         "nothing; '*' for all, and once more for each other one"));
cl::opt<std::string> gpuName("gpu", cl::value_desc("name"), cl::cat(category), cl::init("h200"),
                             cl::desc("The GPU whose least times --explain gives (default: h200)"));
cl::list<std::uint64_t> elementCounts("elements", cl::value_desc("n"), cl::CommaSeparated, cl::cat(category),
                                      cl::desc("The numbers of elements that --explain gives times for (default: "
                                               "1000000,100000000)"));
cl::list<std::string> shapeNames("shape", cl::value_desc("shape"), cl::CommaSeparated, cl::cat(category),
                                 cl::desc("The shapes whose limits --explain lists, such as 8192x8192"));
cl::opt<std::string> measuredFile("measured", cl::value_desc("file"), cl::cat(category),
                                  cl::desc("Compare these limits with what is in this result file of the benchmarks"));
cl::opt<bool> noWarnings("w", cl::cat(category), cl::desc("Turn all of Foldwise's warnings off"));
cl::opt<bool> listWarnings("list-warnings", cl::cat(category), cl::desc("Print the names of the warnings and exit"));
cl::opt<bool> checked("checked", cl::cat(category),
                      cl::desc("Have kernels look at every index, division, shift and assert while they run"));
cl::opt<bool> python("python", cl::cat(category), cl::desc("Also emit the table of the functions for a Python module"));
cl::opt<bool> touch("touch", cl::cat(category), cl::desc("Renew the time stamps of unchanged outputs too"));

// Not an option of LLVM's parser: a library that it comes with has a -W already.
cl::extrahelp warningHelp(R"(
WARNINGS:

  -W<name>, -Wno-<name>               - Turn a warning on or off
  -Werror, -Wno-error                 - Make every warning an error, or not
  -Werror=<name>, -Wno-error=<name>   - Make one warning an error, or not

  The later option wins, and one for a single warning over one for all. Clang's own warnings are switched after --.
)");

constexpr llvm::StringLiteral overview =
    R"(Turns the lambdas of a spec into CUDA kernels, their CPU twins and launchers.

EXAMPLE:
  foldwise --backend=cuda,cpu --out-dir=generated stats.kernels.cpp -- -std=c++20 -Iinclude

  writes stats.kernels.hpp (to include), .launch.cpp, .cu, .cpu.cpp and .json into generated/.
)";

int refuse(const llvm::Twine& message) {
    llvm::errs() << "foldwise: error: " << message << "\n";
    return wrongCall;
}

int refuse(llvm::Error error) { return refuse(llvm::toString(std::move(error))); }

Backends chosenBackends() {
    if (backendNames.empty()) return {.checked = checked, .python = python};
    Backends backends{.cuda = false, .cpu = false, .simulator = false, .checked = checked, .python = python};
    for (Backend backend : backendNames) {
        backends.cuda |= backend == Backend::Cuda;
        backends.cpu |= backend == Backend::Cpu;
        backends.simulator |= backend == Backend::Simulator;
    }
    return backends;
}

/// A file's name in Make's syntax, in which a backslash is only special before what it escapes.
std::string escaped(llvm::StringRef path) {
    std::string out;
    std::size_t backslashes = 0;  // right before the character
    for (char c : path) {
        if (c == ' ') out.append(backslashes, '\\');
        if (c == ' ' || c == '#' || c == ':') out += '\\';
        if (c == '$') out += '$';
        out += c;
        backslashes = c == '\\' ? backslashes + 1 : 0;
    }
    return out;
}

/// Why no generated file can be called after a source, or nothing. Each is included by its name, in which nothing can
/// be escaped.
std::string whyNotNamed(llvm::StringRef source) {
    if (!llvm::json::isUTF8(source)) return "it is not UTF-8";
    const llvm::StringRef name = sys::path::filename(source);
    llvm::SmallString<128> path(source);
    sys::fs::make_absolute(path);
    if (path.str().contains('\\')) return "Clang takes a backslash in a source's path for a slash";
    if (name.contains('"')) return "no #include can name a file with a quotation mark in it";
    if (source.find_first_of("\n\r") != llvm::StringRef::npos)
        return "no #include or rule of Make can name a line break";
    return "";
}

std::string dependencyRule(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs) {
    std::string rule;
    for (const OutputFile& output : outputs) rule += (rule.empty() ? "" : " \\\n") + escaped(output.path);
    rule += ":";
    for (const std::string& input : inputs) rule += " \\\n  " + escaped(input);
    return rule + "\n";
}

/// The spec's units: from sources through the frontend, or from JSON.
struct Loaded {
    std::vector<UnitSpec> units;
    std::vector<std::string> dependencies;
};

int load(const std::vector<std::string>& clangArguments, const WarningOptions& warnings, const char* tool,
         Loaded& loaded) {
    if (!fromSpec.empty()) {
        if (!sources.empty()) return refuse("--from-spec takes the place of sources: give one or the other");
        auto buffer = llvm::MemoryBuffer::getFile(fromSpec);
        if (!buffer) return refuse("cannot read '" + fromSpec + "': " + buffer.getError().message());
        llvm::Expected<std::vector<UnitSpec>> units = parseUnitSpecs((*buffer)->getBuffer());
        if (!units) return refuse("'" + fromSpec + "' is no spec: " + llvm::toString(units.takeError()));
        loaded = {std::move(*units), {fromSpec}};
        return done;
    }
    if (sources.empty()) return refuse("no source file is given; see foldwise --help");
    for (const std::string& source : sources)
        if (!sys::fs::is_regular_file(source)) return refuse("there is no file '" + source + "'");
    for (const std::string& source : sources)
        if (const std::string why = whyNotNamed(source); !why.empty())
            return refuse("'" + llvm::json::fixUTF8(source) + "' cannot be generated from: " + why);
    if (!buildPath.empty() && !sys::fs::exists(buildPath + "/compile_commands.json"))
        return refuse("there is no compile_commands.json in '" + buildPath + "'");
    FrontendResult result = parseSpecs({sources, root, buildPath, clangArguments, warnings,
                                        sourcePaths == SourcePaths::Absolute, headersFolder(tool), clangFolder(tool)});
    // A tool that is not installed has no page beside it.
    if (const std::string page = diagnosticsPage(tool); !page.empty() && !result.numbers.empty())
        llvm::errs() << llvm::join(result.numbers, ", ") << ": see " << page << "\n";
    if (!result.ok) return wrongSpec;
    loaded = {std::move(result.units), std::move(result.dependencies)};
    return done;
}

int writeUnits(const Loaded& loaded, const std::vector<std::string>& clangArguments) {
    if (outDir.empty()) return refuse("--out-dir is missing; see foldwise --help");
    llvm::Expected<Templates> templates =
        templatesDir.empty() ? llvm::Expected<Templates>(Templates::embedded()) : Templates::fromFolder(templatesDir);
    if (!templates) return refuse(templates.takeError());

    std::vector<OutputFile> files;
    llvm::StringSet<> paths;
    for (const UnitSpec& unit : loaded.units) {
        llvm::SmallString<128> folder;
        if (sourcePaths == SourcePaths::Absolute) {
            folder = outDir;
            if (!flat) sys::path::append(folder, sys::path::parent_path(unit.source));
            sys::fs::make_absolute(folder);
        }
        llvm::Expected<std::vector<OutputFile>> emitted = emitUnit(unit, chosenBackends(), *templates, folder);
        if (!emitted) return refuse(emitted.takeError());
        for (OutputFile& file : *emitted) {
            llvm::SmallString<128> path(outDir);
            sys::path::append(path, flat ? sys::path::filename(file.path) : llvm::StringRef(file.path));
            if (!paths.insert(path).second)
                return refuse("two sources would both write '" + path +
                              "': " + (flat ? "rename one, or leave out --flat" : "tell them apart with --root"));
            files.push_back({path.str().str(), std::move(file.text)});
        }
    }
    if (!nvccOptionsFile.empty()) {
        llvm::Expected<std::string> options = nvccOptions(clangArguments);
        if (!options) return refuse(options.takeError());
        files.push_back({nvccOptionsFile, std::move(*options)});
    }
    if (!depfile.empty()) files.push_back({depfile, dependencyRule(files, loaded.dependencies)});
    if (llvm::Error error = writeFiles(files, touch)) return refuse(std::move(error));
    return done;
}

/// Where the messages are explained, for people: a file beside the installed tool, or, of one that is not installed,
/// where to look.
std::string explanations(const char* tool) {
    const std::string page = diagnosticsPage(tool);
    const std::string where = page.empty() ? "docs/diagnostics.md" : page;
    return "Messages with a number, such as [FW013], are explained in " + where + ".\n";
}

int printWarnings(const std::string& explanations) {
    for (const Warning& warning : warnings())
        llvm::outs() << llvm::formatv("-W{0,-20} FW{1:03}  {2}{3}\n", warning.name, warning.id, warning.summary,
                                      warning.isOn ? "" : " (off by default)");
    llvm::outs() << "\n" << explanations;
    return done;
}

/// A shape as the command line has it: extents with x between them, at most 2^40 elements in all.
std::optional<ExplainedShape> parseShape(llvm::StringRef text) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    ExplainedShape shape{text.str(), 1};
    llvm::SmallVector<llvm::StringRef> extents;
    text.split(extents, 'x');
    for (llvm::StringRef extent : extents) {
        std::uint64_t count = 0;
        if (extent.getAsInteger(10, count) || count == 0 || count > most / shape.elements) return std::nullopt;
        shape.elements *= count;
    }
    return shape;
}

/// What --shape and --measured say.
int readLimits(ExplainFor& what) {
    for (const std::string& name : shapeNames) {
        std::optional<ExplainedShape> shape = parseShape(name);
        if (!shape)
            return refuse("'" + name +
                          "' is no shape: write extents with x between them, such as 8192x8192, of at most "
                          "2^40 elements");
        what.shapes.push_back(std::move(*shape));
    }
    if (measuredFile.empty()) return done;
    if (what.shapes.empty()) return refuse("--measured needs a --shape: the limits of a shape are what is compared");
    auto buffer = llvm::MemoryBuffer::getFile(measuredFile);
    if (!buffer) return refuse("cannot read '" + measuredFile + "': " + buffer.getError().message());
    llvm::Expected<Measured> measured = parseMeasured((*buffer)->getBuffer());
    if (!measured) return refuse("'" + measuredFile + "' is no result file: " + llvm::toString(measured.takeError()));
    if (!measured->isOf(what.gpu))
        return refuse("'" + measuredFile + "' was measured on '" + measured->gpu + "', and --gpu is " + what.gpu.name);
    what.measured = std::move(*measured);
    return done;
}

/// --explain, as text or, with --emit=spec, as JSON.
int explainUnits(const Loaded& loaded, ExplainFor what) {
    llvm::Expected<std::vector<KernelOfUnit>> kernels = kernelsNamed(loaded.units, explained);
    if (!kernels) return refuse(kernels.takeError());
    if (stage == Stage::Spec) {
        llvm::json::Array array;
        for (const KernelOfUnit& kernel : *kernels) array.push_back(explainJSON(kernel, what));
        llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(array)));
        return done;
    }
    llvm::ListSeparator blank("\n");
    for (const KernelOfUnit& kernel : *kernels) llvm::outs() << blank << explain(kernel, what);
    return done;
}

/// Whether an option is one of the compiler's that people write in front of `--`.
bool isForCompiler(llvm::StringRef option) {
    const llvm::StringRef known[] = {"-std=", "-I", "-D", "-isystem", "-include", "--std="};
    return llvm::any_of(known, [&](llvm::StringRef start) { return option.starts_with(start); });
}

int run(int argc, const char** argv) {
    const char** end = argv + argc;
    const char** separator = std::find_if(argv, end, [](llvm::StringRef argument) { return argument == "--"; });
    std::vector<std::string> clangArguments(separator == end ? end : separator + 1, end);

    cl::HideUnrelatedOptions(category);
    cl::SetVersionPrinter([](llvm::raw_ostream& out) { out << "foldwise " FOLDWISE_VERSION "\n"; });
    const std::string documentation = "\nDOCUMENTATION:\n\n  " + explanations(argv[0]);
    const cl::extrahelp documentationHelp(documentation);
    WarningOptions warnings;
    std::vector<const char*> arguments;
    for (const char* argument : llvm::ArrayRef(argv, separator)) {
        llvm::StringRef option = argument;
        if (!option.consume_front("-W"))
            arguments.push_back(argument);
        else if (llvm::Error unknown = warnings.add(option))
            return refuse(std::move(unknown));
    }
    for (const char* argument : llvm::ArrayRef(arguments).drop_front())
        if (isForCompiler(argument))
            return refuse("'" + std::string(argument) + "' is an option for the compiler: these come behind --");
    if (!cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(), overview, &llvm::errs()))
        return wrongCall;
    if (noWarnings) warnings.silence();

    if (listWarnings) return printWarnings(explanations(argv[0]));
    if (explained.empty() &&
        (gpuName.getNumOccurrences() > 0 || !elementCounts.empty() || !shapeNames.empty() || !measuredFile.empty()))
        return refuse("--gpu, --elements, --shape and --measured are for --explain");
    const Gpu* gpu = findGpu(gpuName);
    if (!gpu) {
        const auto names = llvm::map_range(allGpus(), [](const Gpu& known) { return known.name; });
        return refuse("there is no GPU '" + gpuName + "' in the table: it has " + llvm::join(names, ", "));
    }
    ExplainFor what{*gpu, elementCounts, {}, {}};
    if (what.elements.empty()) what.elements = {1'000'000, 100'000'000};
    if (const int status = readLimits(what); status != done) return status;

    if (!compilerOptions.empty()) {
        llvm::Expected<std::vector<std::string>> options = readCompilerOptions(compilerOptions);
        if (options) options = meaningfulOptions(*options);
        if (!options) return refuse(options.takeError());
        clangArguments.insert(clangArguments.begin(), options->begin(), options->end());
    }

    Loaded loaded;
    if (const int status = load(clangArguments, warnings, argv[0], loaded); status != done) return status;
    if (!explained.empty()) return explainUnits(loaded, std::move(what));
    if (stage == Stage::Spec) {
        llvm::outs() << llvm::formatv("{0:2}\n", toJSON(loaded.units));
        return done;
    }
    return writeUnits(loaded, clangArguments);
}

}  // namespace

int main(int argc, const char** argv) {
    sys::PrintStackTraceOnErrorSignal(argv[0]);
    return runOnDeepStack([&] { return run(argc, argv); });
}
