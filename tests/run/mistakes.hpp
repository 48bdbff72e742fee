// tests/run/mistakes.hpp: what is reported of kernels with a mistake each, in the line of their spec that ends with its
// name.
#pragma once

#include <foldwise/array.hpp>
#include <foldwise/error.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace run {

/// The line of one of these files that ends with the mistake's name, as "checks.kernels.cpp:12: ".
template <class Files> std::string place_of(const Files& files, const std::string& name) {
    for (const auto& file : files) {
        std::istringstream text{std::string(file.text)};
        std::string line;
        for (int number = 1; std::getline(text, line); ++number) {
            if (line.ends_with("// " + name)) return std::string(file.name) + ":" + std::to_string(number) + ": ";
        }
    }
    return "no line is marked " + name;
}

/// Elements with others around them that nobody may touch.
template <class T> class guarded {
  public:
    explicit guarded(const foldwise::shape& extents, std::vector<T> values = {}) : extents_(extents) {
        std::vector<T> all(static_cast<std::size_t>(2 * margin + extents.size()), guard);
        for (std::int64_t i = 0; i < extents.size(); ++i)
            all[static_cast<std::size_t>(margin + i)] =
                i < std::ssize(values) ? values[static_cast<std::size_t>(i)] : T{1};
        memory_ = foldwise::to_device(all);
    }
    foldwise::view<T> view() { return memory_.slice(0, margin, margin + extents_.size()).reshape(extents_); }
    bool is_intact() const {
        const std::vector<T> all = memory_.to_host();
        for (std::int64_t i = 0; i < margin; ++i) {
            if (all[static_cast<std::size_t>(i)] != guard || all[all.size() - 1 - static_cast<std::size_t>(i)] != guard)
                return false;
        }
        return true;
    }
    std::vector<T> values() const {
        const std::vector<T> all = memory_.to_host();
        return {all.begin() + margin, all.end() - margin};
    }

  private:
    static constexpr std::int64_t margin = 256;
    static constexpr T guard = 77;
    foldwise::shape extents_;
    foldwise::array<T> memory_{foldwise::shape{0}};
};

/// Expects that a call ends with these words, at the line of the mistake.
template <class Files>
void expect_reported(const Files& files, const std::string& kernels, const std::string& name, const std::string& words,
                     const std::function<void()>& call) {
    SCOPED_TRACE(name);
    try {
        call();
        ADD_FAILURE() << "nothing was reported";
    } catch (const foldwise::device_error& error) {
        const std::string said = error.what(), place = place_of(files, name);
        EXPECT_TRUE(said.starts_with(place)) << said << "\n  instead of " << place;
        EXPECT_NE(said.find(words), said.npos) << said;
        EXPECT_NE(said.find("in " + kernels + "::"), said.npos) << said;
    }
}

}  // namespace run
