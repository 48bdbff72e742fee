// generator/frontend/CompilerOptions.cpp: reads compiler options with the option table of Clang's driver.
#include "CompilerOptions.hpp"

#include <clang/Options/Options.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/StringSaver.h>

#include <set>

namespace foldwise {

namespace options = clang::options;
using llvm::opt::Arg;
using llvm::opt::InputArgList;

static llvm::Error failure(const llvm::Twine& message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<std::vector<std::string>> readCompilerOptions(const std::string& file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) return failure("cannot read '" + file + "': " + buffer.getError().message());
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    std::vector<std::string> found;
    std::set<std::string> macros;
    const auto define = [&] {
        for (const std::string& macro : macros) found.push_back("-D" + macro);
        macros.clear();
    };
    for (llvm::StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
        line.consume_back("\r");
        if (line.consume_front("DEFINE:")) {
            line.consume_front("-D");  // CMake takes it off, too
            if (!line.empty()) macros.insert(line.str());
            continue;
        }
        define();
        llvm::SmallVector<const char*> words;
        if (line.consume_front("SHELL:"))
            llvm::cl::TokenizeGNUCommandLine(line, saver, words);
        else if (!line.empty())
            words.push_back(saver.save(line).data());
        found.insert(found.end(), words.begin(), words.end());
    }
    define();
    return found;
}

/// Parses options, which must outlive the result.
static llvm::Expected<InputArgList> parsed(llvm::ArrayRef<std::string> given) {
    std::vector<const char*> arguments;
    for (const std::string& option : given) arguments.push_back(option.c_str());
    unsigned missingIndex = 0, missingCount = 0;
    InputArgList list = clang::getDriverOptTable().ParseArgs(arguments, missingIndex, missingCount,
                                                             llvm::opt::Visibility(options::ClangOption));
    if (missingCount > 0) return failure("the compiler option '" + given[missingIndex] + "' lacks its value");
    return list;
}

/// Options of GCC that change what a spec means, and that Clang does not know or ignores.
static bool isMissingInClang(llvm::StringRef option) {
    return option == "-fsingle-precision-constant" || option == "-funsigned-bitfields" ||
           option == "-fno-signed-bitfields" || option.starts_with("-fwide-exec-charset=");
}

/// Whether an option can change what the same text means. The others are about what the compiler says, writes, links or
/// adds to its output; some would make Clang write files, load plugins or look for headers of a runtime library.
static bool isMeaningful(const Arg& argument) {
    const llvm::opt::Option& option = argument.getOption();
    static constexpr unsigned otherGroups[] = {options::OPT_Diag_Group,
                                               options::OPT_pedantic_Group,
                                               options::OPT_DebugInfo_Group,
                                               options::OPT_M_Group,
                                               options::OPT_Link_Group,
                                               options::OPT_Action_Group,
                                               options::OPT_offload_Group,
                                               options::OPT_internal_Group,
                                               options::OPT_StaticAnalyzer_Group,
                                               options::OPT_cuda_Group,
                                               options::OPT_clang_ignored_m_Group,
                                               options::OPT_clang_ignored_f_Group,
                                               options::OPT_clang_ignored_gcc_optimization_f_Group};
    static constexpr unsigned others[] = {options::OPT_INPUT,
                                          options::OPT_UNKNOWN,
                                          options::OPT_o,
                                          options::OPT_x,
                                          options::OPT_w,
                                          options::OPT_v,
                                          options::OPT__HASH_HASH_HASH,
                                          options::OPT_save_temps_EQ,
                                          options::OPT_Xclang,
                                          options::OPT_Xlinker,
                                          options::OPT_Xassembler,
                                          options::OPT_mllvm,
                                          options::OPT_Wa_COMMA,
                                          options::OPT_include_pch,
                                          options::OPT_mtune_EQ,
                                          options::OPT_gen_reproducer,
                                          options::OPT_config,
                                          options::OPT__param};
    static constexpr llvm::StringLiteral otherNames[] = {"-fsanitize",
                                                         "-fno-sanitize",
                                                         "-fprofile",
                                                         "-fno-profile",
                                                         "-fcs-profile",
                                                         "-fmemory-profile",
                                                         "-fcoverage",
                                                         "-ftest-coverage",
                                                         "-fplugin",
                                                         "-fpass-plugin",
                                                         "-fmodule",
                                                         "-fno-module",
                                                         "-fimplicit-module",
                                                         "-fprebuilt-module",
                                                         "-fopenmp",
                                                         "-fno-openmp",
                                                         "-fopenacc",
                                                         "-flto",
                                                         "-fno-lto",
                                                         "-fthin",
                                                         "-fdiagnostics",
                                                         "-fno-diagnostics",
                                                         "-fcolor-diagnostics",
                                                         "-fno-color",
                                                         "-fansi-escape-codes",
                                                         "-fsave-",
                                                         "-ftime-",
                                                         "-fcrash-",
                                                         "-fproc-stat-report",
                                                         "-fdump-",
                                                         "-fstack-usage",
                                                         "-fxray",
                                                         "-fembed-",
                                                         "-foffload",
                                                         "-fsyntax-only",
                                                         "-fcaret"};
    if (llvm::any_of(otherGroups, [&](unsigned group) { return option.matches(group); })) return false;
    if (llvm::any_of(others, [&](unsigned id) { return option.matches(id); })) return false;
    const llvm::StringRef spelling = argument.getSpelling();
    return llvm::none_of(otherNames, [&](llvm::StringRef name) { return spelling.starts_with(name); });
}

llvm::Expected<std::vector<std::string>> meaningfulOptions(llvm::ArrayRef<std::string> given) {
    if (const auto* missing = llvm::find_if(given, isMissingInClang); missing != given.end())
        return failure("'" + *missing + "' changes what a spec means, and the generator cannot follow: Clang lacks it");
    llvm::Expected<InputArgList> list = parsed(given);
    if (!list) return list.takeError();
    std::vector<std::string> kept;
    for (const Arg* argument : *list) {
        if (!isMeaningful(*argument)) continue;
        llvm::opt::ArgStringList words;
        argument->render(*list, words);
        kept.insert(kept.end(), words.begin(), words.end());
    }
    return kept;
}

/// The option that gives types another layout or signedness than nvcc takes for granted; null if there is none.
static const Arg* layoutOption(const InputArgList& list) {
    for (auto [on, off] : {std::pair(options::OPT_fshort_enums, options::OPT_fno_short_enums),
                           std::pair(options::OPT_fshort_wchar, options::OPT_fno_short_wchar)})
        if (list.hasFlag(on, off, false)) return list.getLastArg(on);
    if (const Arg* last = list.getLastArg(options::OPT_funsigned_char, options::OPT_fno_unsigned_char,
                                          options::OPT_fsigned_char, options::OPT_fno_signed_char);
        last && (last->getOption().matches(options::OPT_funsigned_char) ||
                 last->getOption().matches(options::OPT_fno_signed_char)))
        return last;
    return list.getLastArg(options::OPT_fpack_struct, options::OPT_fpack_struct_EQ, options::OPT_m32, options::OPT_mx32,
                           options::OPT_mlong_double_64, options::OPT_mlong_double_128);
}

/// One word of an options file: nvcc takes quotes and backslashes away twice, and in between it splits at commas.
static std::string quoted(llvm::StringRef word) {
    std::string text(word);
    for (int pass = 0; pass < 2; ++pass) {
        std::string escaped;
        for (char c : text) {
            if (c == '"' || c == '\\' || (c == ',' && pass == 0)) escaped += '\\';
            escaped += c;
        }
        text = std::move(escaped);
    }
    return '"' + text + '"';
}

llvm::Expected<std::string> nvccOptions(llvm::ArrayRef<std::string> given) {
    llvm::Expected<InputArgList> list = parsed(given);
    if (!list) return list.takeError();
    if (const Arg* layout = layoutOption(*list))
        return failure("'" + layout->getAsString(*list) +
                       "' changes types in a way that nvcc cannot follow; use another backend, or compile without it");
    std::string text;
    for (const Arg* argument : *list) {
        const llvm::opt::Option& option = argument->getOption();
        const auto is = [&](auto... ids) { return (option.matches(ids) || ...); };
        if (is(options::OPT_D, options::OPT_U, options::OPT_I))
            text += quoted((option.getPrefixedName() + argument->getValue()).str()) + "\n";
        else if (is(options::OPT_isystem, options::OPT_include))
            text += (option.getPrefixedName() + "\n" + quoted(argument->getValue()) + "\n").str();
        else if (is(options::OPT_iquote, options::OPT_idirafter, options::OPT_imacros))  // the host compiler's own
            text += ("-Xcompiler=" + option.getPrefixedName() + "\n-Xcompiler=" + quoted(argument->getValue()) + "\n")
                        .str();
    }
    return text;
}

}  // namespace foldwise
