// tests/fuzz/mutate/mutants.cpp: runs the generator on mutated specs, as a build would, and looks at what it does.
//
//   fuzz_mutants --foldwise FILE --include FOLDER --compiler FILE --clang FILE [--seconds N] [--seed N] [--keep FOLDER]
//                CORPUS...                each a folder of specs, or one spec
//   fuzz_mutants ... --replay SPEC...     these specs as they are, once each
//
// Whatever a spec holds, the generator ends within ten seconds of processor time with status 0 or 1; it writes all of
// its files or none; and what it writes compiles where the spec does. A crash that plain Clang shares is Clang's own
// and set aside. Prints figures, keeps the specs that break a rule, and fails if there is one.
#include "Mutator.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {

constexpr rlim_t secondsForOne = 10;
constexpr rlim_t bytesForOne = rlim_t{6} << 30;

struct Options {
    std::string foldwise, include, compiler, clang;
    fs::path keep = "fuzz_findings";
    double seconds = 20;
    std::uint64_t seed = 1;
    bool replay = false;
    std::vector<fs::path> corpus;
};

struct Spec {
    std::string text;
    fs::path folder;  ///< Where its own headers lie.
};

std::string contents(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// How a program ended: its exit status, or what it was killed by.
struct Ending {
    int status = 0;
    int signal = 0;
    std::string messages;
    bool isCrash() const { return signal != 0 || status > 2; }
    std::string text() const {
        if (signal == SIGXCPU || signal == SIGKILL) return "no end within " + std::to_string(secondsForOne) + " s";
        return signal != 0 ? "signal " + std::to_string(signal) : "exit status " + std::to_string(status);
    }
};

Ending run(const std::vector<std::string>& command, const fs::path& log) {
    const pid_t child = fork();
    if (child == 0) {
        const rlimit time{secondsForOne, secondsForOne + 1}, memory{bytesForOne, bytesForOne}, core{0, 0};
        setrlimit(RLIMIT_CPU, &time);
        setrlimit(RLIMIT_AS, &memory);
        setrlimit(RLIMIT_CORE, &core);
        const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        std::vector<char*> arguments;
        for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
        arguments.push_back(nullptr);
        execvp(arguments.front(), arguments.data());
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    Ending ending;
    ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ending.messages = contents(log);
    return ending;
}

/// The first error of a run, without names and numbers: what kind of mistake it found.
std::string kindOf(const Ending& ending) {
    const std::size_t at = ending.messages.find("error: ");
    if (at == std::string::npos) return ending.text();
    std::string kind;
    bool quoted = false;
    for (std::size_t i = at; i < ending.messages.size() && ending.messages[i] != '\n'; ++i) {
        const char c = ending.messages[i];
        if (c == '\'') quoted = !quoted;
        if (!quoted && (c < '0' || c > '9')) kind += c;
    }
    return kind;
}

class Session {
  public:
    explicit Session(const Options& options)
        : options_(options), work_(fs::temp_directory_path() / ("foldwise-mutants-" + std::to_string(getpid()))) {
        fs::create_directories(work_);
    }
    ~Session() { fs::remove_all(work_); }

    /// Returns whether the generator did with this spec what nothing like it had led to before.
    bool check(const Spec& spec) {
        const fs::path file = work_ / "spec.kernels.cpp", out = work_ / "out";
        fs::remove_all(out);
        std::ofstream(file, std::ios::binary) << spec.text;
        const std::vector<std::string> clangs = {"-std=c++20", "-w", "-I" + options_.include,
                                                 "-I" + spec.folder.string()};
        std::vector<std::string> command = {options_.foldwise,
                                            "--backend=cuda,cpu,simulator",
                                            "--out-dir=" + out.string(),
                                            "--depfile=" + (out / "spec.d").string(),
                                            file.string(),
                                            "--"};
        command.insert(command.end(), clangs.begin(), clangs.end());
        const Ending ending = run(command, work_ / "log");
        ++runs_;
        ++endings_[ending.isCrash() ? "crash" : ending.text()];
        const std::size_t written = fs::exists(out) ? filesBelow(out) : 0;
        if (ending.isCrash())
            judgeCrash(ending, file, clangs);
        else if (ending.status == 2)
            report("the spec is called a wrong call", ending.messages);
        else if (ending.status == 1 && written > 0)
            report("files are written after an error", ending.messages);
        else if (ending.status == 1 && ending.messages.find("error:") == std::string::npos)
            report("refused without a word", ending.messages);
        else if (ending.status == 0 && written != 7)
            report(std::to_string(written) + " files are written, not seven", ending.messages);
        else if (ending.status == 0 && (options_.replay || accepted_++ % 4 == 0))
            compile(file, out, spec);
        return !ending.isCrash() && kinds_.insert(kindOf(ending)).second;
    }

    int finish(double seconds) const {
        std::cout << runs_ << " specs in " << seconds << " s, " << static_cast<double>(runs_) / seconds
                  << " a second; ";
        for (const auto& [ending, count] : endings_) std::cout << ending << ": " << count << "; ";
        std::cout << kinds_.size() << " kinds of first message; emitted files compiled for " << compiled_
                  << "; crashes of Clang's own: " << setAside_ << "; findings: " << findings_ << "\n";
        return findings_ == 0 ? 0 : 1;
    }

  private:
    static std::size_t filesBelow(const fs::path& folder) {
        std::size_t files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) files += entry.is_regular_file();
        return files;
    }

    void judgeCrash(const Ending& ending, const fs::path& file, const std::vector<std::string>& clangs) {
        std::vector<std::string> command = {options_.clang, "-fsyntax-only", "-xc++"};
        command.insert(command.end(), clangs.begin(), clangs.end());
        command.push_back(file.string());
        if (!run(command, work_ / "clang.log").isCrash()) return report(ending.text(), ending.messages);
        ++setAside_;
    }

    void compile(const fs::path& file, const fs::path& out, const Spec& spec) {
        const auto compiles = [&](const fs::path& source) {
            return run({options_.compiler, "-std=c++20", "-w", "-fsyntax-only", "-fopenmp-simd",
                        "-I" + options_.include, "-I" + spec.folder.string(), "-I" + out.string(), source.string()},
                       work_ / "compiler.log");
        };
        if (compiles(file).status != 0) return;  // the compilers differ about the spec itself
        ++compiled_;
        for (const char* name : {"cpu", "simulator", "launch"}) {
            const Ending ending = compiles(out / ("spec.kernels." + std::string(name) + ".cpp"));
            if (ending.isCrash() || ending.status != 0)
                report("the " + std::string(name) + " file does not compile", ending.messages);
        }
    }

    void report(const std::string& what, const std::string& messages) {
        ++findings_;
        fs::create_directories(options_.keep);
        const fs::path kept =
            options_.keep / ("spec-" + std::to_string(options_.seed) + "-" + std::to_string(runs_) + ".cpp");
        fs::copy_file(work_ / "spec.kernels.cpp", kept, fs::copy_options::overwrite_existing);
        std::cout << kept.string() << ": " << what << "\n" << messages.substr(0, 1500) << std::endl;
    }

    const Options& options_;
    fs::path work_;
    std::size_t runs_ = 0, accepted_ = 0, compiled_ = 0, setAside_ = 0, findings_ = 0;
    std::map<std::string, std::size_t> endings_;
    std::set<std::string> kinds_;
};

std::vector<Spec> load(const std::vector<fs::path>& corpus) {
    std::vector<fs::path> paths;
    for (const fs::path& place : corpus) {
        if (fs::is_regular_file(place)) paths.push_back(place);
        if (!fs::is_directory(place)) continue;
        for (auto entry = fs::recursive_directory_iterator(place); entry != fs::recursive_directory_iterator();
             ++entry) {
            const std::string name = entry->path().filename().string();
            if (name == "expected") entry.disable_recursion_pending();
            if (name.ends_with(".cpp") && contents(entry->path()).find("foldwise/spec.hpp") != std::string::npos)
                paths.push_back(entry->path());
        }
    }
    std::ranges::sort(paths);  // the same specs in the same order on every machine
    std::vector<Spec> specs;
    for (const fs::path& path : paths) specs.push_back({contents(path), fs::absolute(path).parent_path()});
    return specs;
}

std::optional<Options> parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--replay") {
            options.replay = true;
        } else if (!argument.starts_with("--")) {
            options.corpus.emplace_back(argument);
        } else if (++i == argc) {
            return std::nullopt;
        } else if (argument == "--foldwise") {
            options.foldwise = argv[i];
        } else if (argument == "--include") {
            options.include = argv[i];
        } else if (argument == "--compiler") {
            options.compiler = argv[i];
        } else if (argument == "--clang") {
            options.clang = argv[i];
        } else if (argument == "--keep") {
            options.keep = argv[i];
        } else if (argument == "--seconds") {
            options.seconds = std::atof(argv[i]);
        } else if (argument == "--seed") {
            options.seed = std::strtoull(argv[i], nullptr, 10);
        } else {
            return std::nullopt;
        }
    }
    const bool complete = !options.foldwise.empty() && !options.include.empty() && !options.compiler.empty() &&
                          !options.clang.empty() && !options.corpus.empty();
    return complete ? std::optional(options) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
    const std::optional<Options> options = parse(argc, argv);
    if (!options) {
        std::cerr << "usage: fuzz_mutants --foldwise FILE --include FOLDER --compiler FILE --clang FILE\n"
                     "                    [--seconds N] [--seed N] [--keep FOLDER] [--replay] CORPUS...\n";
        return 2;
    }
    using clock = std::chrono::steady_clock;
    const clock::time_point started = clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(clock::now() - started).count(); };
    std::vector<Spec> pool = load(options->corpus);
    if (pool.empty()) {
        std::cerr << "fuzz_mutants: there is no spec in the corpus\n";
        return 2;
    }
    Session session(*options);
    if (options->replay) {
        for (const Spec& spec : pool) session.check(spec);
        return session.finish(elapsed());
    }
    std::mt19937_64 rng(options->seed);
    while (elapsed() < options->seconds) {
        const Spec& base = pool[rng() % pool.size()];
        Spec mutant{fuzz::mutate(base.text, pool[rng() % pool.size()].text, rng), base.folder};
        if (session.check(mutant)) pool.push_back(std::move(mutant));
    }
    return session.finish(elapsed());
}
