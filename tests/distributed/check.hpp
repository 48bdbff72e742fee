// tests/distributed/check.hpp: checks in programs of several processes, each of which prints what fails in it.
#pragma once

#include <foldwise/communicator.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <string>

inline std::atomic<int> failures = 0;

inline void check(bool ok, const std::string& what, const char* file, int line) {
    if (ok) return;
    if (++failures <= 10) std::printf("%s:%d: failed: %s\n", file, line, what.c_str());
}
#define CHECK(condition, ...) check(condition, #condition " " __VA_OPT__(+(__VA_ARGS__)), __FILE__, __LINE__)

/// Returns the message of the Error that f throws; empty if it throws none.
template <class Error, class F> std::string message_of(const F& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    } catch (const std::exception& error) {
        std::printf("  another exception: %s\n", error.what());
    }
    return {};
}

/// Whether each caller of `world` is one rank of it.
inline bool is_a_rank(const foldwise::communicator& world) { return !world.transport().ranks_here(); }
