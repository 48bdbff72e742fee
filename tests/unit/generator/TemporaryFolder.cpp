// tests/unit/generator/TemporaryFolder.cpp: makes folders in the system's folder for temporary files.
#include "TemporaryFolder.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace foldwise {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "foldwise.XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = fs::canonical(name);
}

TemporaryFolder::~TemporaryFolder() { fs::remove_all(folder_); }

std::string TemporaryFolder::path(const std::string& name) const { return (folder_ / name).string(); }

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
}

std::string TemporaryFolder::read(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t TemporaryFolder::files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) count += entry.is_regular_file();
    return count;
}

}  // namespace foldwise
