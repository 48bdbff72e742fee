// options.cpp: the command line.
#include "options.hpp"

#include <charconv>
#include <string_view>
#include <vector>

const char* const usage = "usage: image in.png out.png [--gamma G] [--tint R,G,B] [--grey]\n"
                          "\n"
                          "  --gamma G      lighten (above 1) or darken (below 1) the picture\n"
                          "  --grey         take the colours out\n"
                          "  --tint R,G,B   look at it through coloured glass; 1,1,1 is clear\n";

namespace {

/// A number above or equal to zero, from all of the text.
float number(const std::string& option, std::string_view text) {
    float value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || !(value >= 0 && value <= 1000))
        throw UsageError(option + " takes numbers from 0 to 1000, not '" + std::string(text) + "'");
    return value;
}

std::array<float, 3> colour(const std::string& option, const std::string& text) {
    const std::size_t first = text.find(','), second = text.find(',', first + 1);
    if (first == std::string::npos || second == std::string::npos)
        throw UsageError(option + " takes three numbers R,G,B, not '" + text + "'");
    const std::string_view all = text;
    return {number(option, all.substr(0, first)), number(option, all.substr(first + 1, second - first - 1)),
            number(option, all.substr(second + 1))};
}

}  // namespace

Options parseOptions(int argc, char** argv) {
    Options options;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 == argc) throw UsageError(argument + " needs a value");
            return argv[++i];
        };
        if (argument == "--grey") {
            options.grey = true;
        } else if (argument == "--gamma") {
            options.gamma = number(argument, value());
            if (options.gamma == 0) throw UsageError("--gamma takes a number above 0");
        } else if (argument == "--tint") {
            options.tint = colour(argument, value());
        } else if (argument.starts_with("--")) {
            throw UsageError("unknown option '" + argument + "'");
        } else {
            files.push_back(argument);
        }
    }
    if (files.size() != 2) throw UsageError("it takes two files, the one to read and the one to write");
    options.input = files[0];
    options.output = files[1];
    return options;
}
