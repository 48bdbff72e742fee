// bench/results.hpp: what is measured, how, and how it is written down; peers_common.py does the same for Python.
//
// A file of results has one JSON object a line, each written when it is known. The first says where they come from:
//   {"device", "copy_bytes_per_us", "driver", "runtime"}
// The others are cells, one workload by one implementation:
//   {"suite", "case", "type", "n", "shape", "bytes", "impl", "us", "spread", "host_us"}
// `shape` and `host_us` are not in all of them, and a cell that has no time has {"why"} in place of all three figures.
#pragma once

#include "delay.hpp"
#include "gpu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

/// What all implementations do the same.
struct workload {
    std::string suite, name, type;
    std::int64_t n;     ///< Elements of the largest operand, or tasks.
    double bytes;       ///< Those that have to be read or written at least.
    std::string shape;  ///< As "1000x32", where n does not say it.

    std::string size() const { return shape.empty() ? std::to_string(n) : shape; }
    std::string id() const { return suite + " " + name + " " + type + " " + size(); }
};

/// The arguments that all benchmarks have.
struct options {
    std::string json;               ///< Where results go, if anywhere.
    std::vector<std::string> only;  ///< Parts of "suite case type size"; none chooses all.
    std::string impl;               ///< How the names of the implementations that are timed begin; all, if empty.
    bool is_quick = false;          ///< Workloads of a few megabytes, and few batches.

    options(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) {
            const std::string argument = argv[i];
            if (argument.starts_with("--json=")) {
                json = argument.substr(7);
            } else if (argument.starts_with("--only=")) {
                only.push_back(argument.substr(7));
            } else if (argument.starts_with("--impl=")) {
                impl = argument.substr(7);
            } else if (argument == "--quick") {
                is_quick = true;
            } else {
                std::fprintf(stderr, "usage: %s [--json=FILE] [--only=TEXT]... [--impl=NAME] [--quick]\n", argv[0]);
                std::exit(2);
            }
        }
    }
    bool want(const workload& work) const {
        const auto is_part = [id = work.id()](const std::string& text) { return id.find(text) != std::string::npos; };
        return (!is_quick || (work.bytes > 1e6 && work.bytes < 2e7)) &&
               (only.empty() || std::any_of(only.begin(), only.end(), is_part));
    }
};

/// How much time a cell may take: where there are hundreds of them, fewer batches.
enum class pace { steady, brisk };

/// Prints one line for each workload, and writes cells to the file. The implementations of a workload come one after
/// the other, Foldwise's own first.
class results {
  public:
    results(const options& options, const gpu& gpu, pace pace = pace::steady)
        : options_(options), gpu_(gpu), is_brisk_(pace == pace::brisk || options.is_quick) {
        if (options.json.empty()) return;
        file_.open(options.json);
        int driver = 0, runtime = 0;
        BENCH_CHECK(cudaDriverGetVersion(&driver));
        BENCH_CHECK(cudaRuntimeGetVersion(&runtime));
        file_ << "{\"device\": " << quoted(gpu.name) << ", \"copy_bytes_per_us\": " << gpu.copy_rate
              << ", \"driver\": " << quoted(version(driver)) << ", \"runtime\": " << quoted(version(runtime)) << "}\n"
              << std::flush;
    }
    results(const results&) = delete;
    ~results() { std::printf("\n"); }

    bool want(const workload& work) const { return options_.want(work); }
    bool is_quick() const { return options_.is_quick; }

    /// Times launch(set), which is asynchronous on the GPU's stream, by the rules for all: the GPU's own time with the
    /// stream's queue full, and what a call keeps the host. Nothing, and zeros, if the implementation is not wanted.
    template <class Launch> timing measure(const workload& work, const std::string& impl, int sets, Launch launch) {
        if (!impl.starts_with(options_.impl)) return {};
        launch(0);
        const double expected = time_once(gpu_.stream, [&] { launch(sets - 1); });
        // A call may be three kernels, and a queue holds a thousand: no more than 200 calls a batch.
        const auto fill_queue = [&](int launches) { delay(50 + 20.0 * launches, gpu_.stream); };
        const timing time = time_device(gpu_.stream, sets, std::fmax(20, expected), launch, fill_queue, is_brisk_);
        const int launches = std::clamp(static_cast<int>((is_brisk_ ? 4'000 : 20'000) / time.device_us), 1, 200);
        const double host_us = time_host(gpu_.stream, sets, launch, launches, launches < 20 || is_brisk_ ? 5 : 25);
        add(work, impl, time, host_us);
        return time;
    }

    /// What was timed otherwise.
    void add(const workload& work, const std::string& impl, const timing& time, std::optional<double> host_us = {}) {
        begin(work);
        std::printf("  %s %.2f", impl.c_str(), time.device_us);
        if (impl == "foldwise") {
            std::printf(" (%.3f of copy", work.bytes / time.device_us / gpu_.copy_rate);
            if (host_us) std::printf(", host %.2f", *host_us);
            std::printf(")");
        }
        std::fflush(stdout);
        std::ostringstream figures;
        figures << std::setprecision(7) << "\"us\": " << time.device_us << ", \"spread\": " << time.spread;
        if (host_us) figures << ", \"host_us\": " << *host_us;
        write(work, impl, figures.str());
    }

    /// No time, and why.
    void add_missing(const workload& work, const std::string& impl, const std::string& why) {
        begin(work);
        std::printf("  %s: %s", impl.c_str(), why.c_str());
        write(work, impl, "\"why\": " + quoted(why));
    }

    /// A result that is not what it should be has no time, and makes the whole program fail.
    void add_wrong(const workload& work, const std::string& impl) {
        status_ = 1;
        add_missing(work, impl, "WRONG");
    }

    int status() const { return status_; }  ///< For main to return.

  private:
    void begin(const workload& work) {
        if (work.id() == last_) return;
        last_ = work.id();
        std::printf("\n%-10s %-14s %-10s %-16s", work.suite.c_str(), work.name.c_str(), work.type.c_str(),
                    work.size().c_str());
    }
    void write(const workload& work, const std::string& impl, const std::string& figures) {
        if (!file_.is_open()) return;
        file_ << "{\"suite\": " << quoted(work.suite) << ", \"case\": " << quoted(work.name)
              << ", \"type\": " << quoted(work.type) << ", \"n\": " << work.n;
        if (!work.shape.empty()) file_ << ", \"shape\": " << quoted(work.shape);
        file_ << ", \"bytes\": " << std::setprecision(12) << work.bytes << ", \"impl\": " << quoted(impl) << ", "
              << figures << "}\n"
              << std::flush;
    }
    static std::string version(int number) {
        return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
    }
    static std::string quoted(const std::string& text) {
        std::ostringstream out;
        out << std::quoted(text);
        return out.str();
    }

    const options options_;
    const gpu& gpu_;
    const bool is_brisk_;
    std::ofstream file_;
    std::string last_;
    int status_ = 0;
};

}  // namespace bench
