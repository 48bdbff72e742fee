// runtime/src/simulator/describe.cpp: formats the simulator's messages, and adds the running thread to sanitizer
// reports.
#include "describe.hpp"

#include "multiprocessor.hpp"

#include <cstdio>

namespace foldwise::simulation {

std::string describe(const dim3& index) {
    return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z) + ")";
}

std::string describe(const place& where) { return std::string(where.file_name()) + ":" + std::to_string(where.line()); }

std::string hexadecimal(std::uint32_t bits) {
    std::string text = "0x";
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[bits >> shift & 15];
    return text;
}

std::string joined(const std::vector<std::string>& texts, const char* separator) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : separator) + text;
    return all;
}

namespace {

/// Prints the running thread beside a sanitizer's report, which contains the line but not the simulated thread.
void say_who_runs() {
    if (const multiprocessor* const running = multiprocessor::current())
        std::fprintf(stderr, "simulator: in %s\n", running->running().c_str());
}

}  // namespace

}  // namespace foldwise::simulation

// The sanitizers call these when they report something. They are weak, so that a program may define its own.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
[[gnu::weak, gnu::visibility("default")]] void __asan_on_error() { foldwise::simulation::say_who_runs(); }
[[gnu::weak, gnu::visibility("default")]] void __ubsan_on_report() { foldwise::simulation::say_who_runs(); }
[[gnu::weak, gnu::visibility("default")]] void __tsan_on_report(void*) { foldwise::simulation::say_who_runs(); }
}
// NOLINTEND(bugprone-reserved-identifier)
