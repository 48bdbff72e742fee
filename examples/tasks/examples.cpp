// examples.cpp: what the examples share.
#include "examples.hpp"

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
