// examples.cpp: the command line, and what else examples share.
#include "examples.hpp"

#include <charconv>
#include <string_view>

namespace {

/// A call that cannot be understood.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

int positive(const std::string& option, std::string_view text) {
    int value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || stop != text.data() + text.size() || value < 1 || value > 10'000'000)
        throw UsageError(option + " takes numbers from 1 to 10000000, not '" + std::string(text) + "'");
    return value;
}

/// "1600x1000"; "1600" is "1600x1600".
Size parseSize(const std::string& option, const std::string& text) {
    const std::size_t cross = text.find('x');
    const std::string_view width = std::string_view(text).substr(0, cross);
    return {positive(option, width),
            positive(option, cross == text.npos ? width : std::string_view(text).substr(cross + 1))};
}

Options parseOptions(int argc, char** argv) {
    Options options;
    if (argc < 2) throw UsageError("which example?");
    options.example = argv[1];
    for (int i = 2; i < argc; ++i) {
        const std::string option = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 == argc) throw UsageError(option + " needs a value");
            return argv[++i];
        };
        if (option == "--size")
            options.size = parseSize(option, value());
        else if (option == "--steps")
            options.steps = positive(option, value());
        else if (option == "--in")
            options.in = value();
        else if (option == "--out")
            options.out = value();
        else if (option == "--check")
            options.check = true;
        else
            throw UsageError("unknown option '" + option + "'");
    }
    return options;
}

std::string usageOf(const std::string& program, const std::vector<Example>& examples) {
    std::string usage =
        "usage: " + program + " EXAMPLE [--size WxH] [--steps N] [--in FILE] [--out FILE] [--check]\n\n";
    for (const Example& example : examples) {
        std::string name = example.name;
        for (const char* line : example.help) {
            name.resize(13, ' ');
            usage += "  " + name + line + "\n";
            name.clear();
        }
    }
    return usage + "\n  --check      compare the result with that of a plain loop\n";
}

}  // namespace

int runExample(const std::string& program, const std::vector<Example>& examples, int argc, char** argv) {
    try {
        const Options options = parseOptions(argc, argv);
        for (const Example& example : examples) {
            if (options.example != example.name) continue;
            example.run(options);
            return 0;
        }
        throw UsageError("unknown example '" + options.example + "'");
    } catch (const UsageError& error) {
        std::fprintf(stderr, "%s: %s\n\n%s", program.c_str(), error.what(), usageOf(program, examples).c_str());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
        return 1;
    }
}

std::string describe(Size size) { return std::to_string(size.width) + " x " + std::to_string(size.height); }

const char* whereKernelsRun() {
    const foldwise::array<char> probe(foldwise::shape{1});
    return probe.place().kind == foldwise::memory::cuda ? "GPU" : "CPU";
}

Picture blankPicture(Size size) {
    Picture picture{static_cast<std::size_t>(size.width), static_cast<std::size_t>(size.height), {}};
    for (auto& plane : picture.planes) plane.resize(picture.width * picture.height);
    return picture;
}

void savePicture(const std::string& path, const Picture& picture) {
    writePng(path, picture);
    std::printf("  written to %s\n", path.c_str());
}
