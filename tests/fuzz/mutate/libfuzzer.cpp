// tests/fuzz/mutate/libfuzzer.cpp: the generator as a libFuzzer target: one spec, from its text to the texts of the
// files that would be written. Built with clang++ -fsanitize=fuzzer; mutants come from Mutator.
#include "Mutator.hpp"

#include "emit/Emit.hpp"
#include "frontend/Frontend.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace foldwise;

namespace {

/// The spec's file, in memory where the system has a place for that, and removed at the end.
class SpecFile {
  public:
    SpecFile() {
        const char* memory = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
        folder_ = std::string(memory) + "/foldwise-fuzz-" + std::to_string(getpid());
        std::filesystem::create_directories(folder_);
    }
    ~SpecFile() { std::filesystem::remove_all(folder_); }
    std::string path() const { return folder_ + "/spec.kernels.cpp"; }
    void write(std::string_view text) const {
        std::ofstream(path(), std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
    }

  private:
    std::string folder_;
};

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const SpecFile file;
    static const Templates templates = Templates::embedded();
    file.write({reinterpret_cast<const char*>(data), size});
    const FrontendResult result = parseSpecs({{file.path()}, "", "", {"-std=c++20", "-I" FOLDWISE_INCLUDE_DIR, "-w"}});
    if (!result.ok) return 0;
    for (const UnitSpec& unit : result.units) {
        llvm::Expected<std::vector<OutputFile>> files =
            emitUnit(unit, {.cuda = true, .cpu = true, .simulator = true}, templates);
        if (!files) fail("an accepted spec is not emitted: " + llvm::toString(files.takeError()));
        if (files->size() != 6) fail("not six files");
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t limit, unsigned seed) {
    std::mt19937_64 rng(seed);
    const std::string_view spec(reinterpret_cast<const char*>(data), size);
    const std::string mutant = fuzz::mutate(spec, spec, rng);
    std::memcpy(data, mutant.data(), std::min(mutant.size(), limit));
    return std::min(mutant.size(), limit);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t firstSize,
                                                 const std::uint8_t* second, std::size_t secondSize, std::uint8_t* out,
                                                 std::size_t limit, unsigned seed) {
    std::mt19937_64 rng(seed);
    const std::string mutant = fuzz::mutate({reinterpret_cast<const char*>(first), firstSize},
                                            {reinterpret_cast<const char*>(second), secondSize}, rng);
    std::memcpy(out, mutant.data(), std::min(mutant.size(), limit));
    return std::min(mutant.size(), limit);
}
