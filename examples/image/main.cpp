// main.cpp: read a PNG, run the kernels over its planes, write a PNG, and tell where the time went.
#include "image.kernels.hpp"  // generated
#include "options.hpp"
#include "picture.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

/// The steps as they happen, on one line of a terminal, and their times at the end.
class Steps {
  public:
    explicit Steps(std::size_t count) : count_(count) {}

    /// Runs one step. `device` steps are the kernels' own work.
    template <class Work> auto operator()(const char* name, bool device, Work work) {
        if (isatty(STDERR_FILENO)) {
            std::fprintf(stderr, "\r\033[K[");
            for (std::size_t i = 0; i < count_; ++i) std::fputc(i < times_.size() ? '#' : '.', stderr);
            std::fprintf(stderr, "] %zu/%zu %s", times_.size() + 1, count_, name);
        }
        const auto begin = std::chrono::steady_clock::now();
        auto result = work();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        times_.push_back({name, device, took.count()});
        return result;
    }

    void report() const {
        if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
        double device = 0, total = 0;
        for (const Time& time : times_) {
            std::printf("  %-8s %9.3f ms%s\n", time.name, time.milliseconds, time.device ? "  kernels" : "");
            total += time.milliseconds;
            if (time.device) device += time.milliseconds;
        }
        std::printf("  total    %9.3f ms, of which the kernels took %.3f ms\n", total, device);
    }

  private:
    struct Time {
        const char* name;
        bool device;
        double milliseconds;
    };
    std::size_t count_;
    std::vector<Time> times_;
};

template <class T> using Planes = std::vector<foldwise::array<T>>;

/// Kernels on a GPU run behind the call that starts them; reading one element waits for them.
template <class T> Planes<T> finished(Planes<T> planes) {
    for (auto& plane : planes) foldwise::to_host(plane.slice(0, 0, 1), plane.stream());
    return planes;
}

template <class T, class Kernel> Planes<T> forEachPlane(Kernel kernel) {
    Planes<T> planes;
    for (std::size_t colour = 0; colour < 3; ++colour) planes.push_back(kernel(colour));
    return finished(std::move(planes));
}

void run(const Options& options) {
    using Byte = std::uint8_t;
    Steps step(options.grey ? 7 : 6);
    Picture picture = step("read", false, [&] { return readPng(options.input); });
    const auto bytes = step("upload", false, [&] {
        return forEachPlane<Byte>([&](std::size_t colour) { return foldwise::to_device(picture.planes[colour]); });
    });
    auto light = step("gamma", true, [&] {
        return forEachPlane<float>([&](std::size_t colour) { return image::gamma(bytes[colour], options.gamma); });
    });
    if (options.grey) {
        light = step("grey", true, [&] {
            Planes<float> grey;
            grey.push_back(image::grey(light[0], light[1], light[2]));
            return finished(std::move(grey));
        });
    }
    const auto seen = step("tint", true, [&] {
        return forEachPlane<Byte>(
            [&](std::size_t colour) { return image::tint(light[options.grey ? 0 : colour], options.tint[colour]); });
    });
    step("download", false, [&] {
        for (std::size_t colour = 0; colour < 3; ++colour) picture.planes[colour] = seen[colour].to_host();
        return true;
    });
    step("write", false, [&] {
        writePng(options.output, picture);
        return true;
    });

    const bool on_gpu = seen[0].place().kind == foldwise::memory::cuda;
    std::printf("%s: %zu x %zu pixels, on the %s\n", options.output.c_str(), picture.width, picture.height,
                on_gpu ? "GPU" : "CPU");
    step.report();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(parseOptions(argc, argv));
        return 0;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "image: %s\n\n%s", error.what(), usage);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%simage: %s\n", isatty(STDERR_FILENO) ? "\n" : "", error.what());
        return 1;
    }
}
