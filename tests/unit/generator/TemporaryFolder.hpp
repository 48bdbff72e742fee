// tests/unit/generator/TemporaryFolder.hpp: a temporary folder that is removed with the object.
#pragma once

#include <filesystem>
#include <string>

namespace foldwise {

class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string path(const std::string& name) const;
    /// Writes a file, its folders too, and returns its path.
    std::string write(const std::string& name, const std::string& text) const;
    std::string read(const std::string& name) const;
    std::size_t files() const;

  private:
    std::filesystem::path folder_;
};

}  // namespace foldwise
