// main.cpp: the command line.
#include "examples.hpp"

#include <charconv>
#include <string_view>

namespace {

const char* const usage = "usage: tasks EXAMPLE [--size WxH] [--steps N] [--in FILE] [--out FILE] [--check]\n"
                          "\n"
                          "  round        round a column of a table, W columns by H rows\n"
                          "  square       multiply a matrix of W rows and columns by itself\n"
                          "  heat         let heat spread in a plate, --steps times\n"
                          "  histogram    count the brightness of pixels, those of the PNG file --in if given\n"
                          "  permute      bring W values into order and back\n"
                          "  mandelbrot   draw the Mandelbrot set, into the PNG file --out if given\n"
                          "  cities       find the nearest city for each point of the Earth, by tzdata's table or the\n"
                          "               one that --in names, and map that into the PNG file --out if given\n"
                          "\n"
                          "  --check      compare the result with that of a plain loop\n";

constexpr struct {
    const char* name;
    void (*run)(const Options&);
} examples[] = {
    {"round", roundColumn},     {"square", squareMatrix},
    {"heat", heatPlate},        {"histogram", histogramOfBrightness},
    {"permute", permuteValues}, {"mandelbrot", drawMandelbrot},
    {"cities", mapCities},
};

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

void run(const Options& options) {
    for (const auto& example : examples) {
        if (options.example == example.name) return example.run(options);
    }
    throw UsageError("unknown example '" + options.example + "'");
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(parseOptions(argc, argv));
        return 0;
    } catch (const UsageError& error) {
        std::fprintf(stderr, "tasks: %s\n\n%s", error.what(), usage);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tasks: %s\n", error.what());
        return 1;
    }
}
