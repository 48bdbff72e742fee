// picture.cpp: PNG files through libpng's simplified interface.
#include "picture.hpp"

#include <png.h>

#include <stdexcept>

namespace {

/// libpng's handle, freed whatever happens.
struct Png : png_image {
    Png() : png_image{} { version = PNG_IMAGE_VERSION; }
    Png(const Png&) = delete;
    Png& operator=(const Png&) = delete;
    ~Png() { png_image_free(this); }
};

[[noreturn]] void fail(const std::string& what, const std::string& path, const Png& png) {
    throw std::runtime_error("cannot " + what + " '" + path + "': " + png.message);
}

}  // namespace

Picture readPng(const std::string& path) {
    Png png;
    if (!png_image_begin_read_from_file(&png, path.c_str())) fail("read", path, png);
    png.format = PNG_FORMAT_RGB;
    std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(png));
    const png_color black{};
    if (!png_image_finish_read(&png, &black, pixels.data(), 0, nullptr)) fail("read", path, png);

    Picture picture{png.width, png.height, {}};
    for (std::size_t colour = 0; colour < 3; ++colour) {
        auto& plane = picture.planes[colour];
        plane.resize(pixels.size() / 3);
        for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = pixels[3 * i + colour];
    }
    return picture;
}

void writePng(const std::string& path, const Picture& picture) {
    std::vector<std::uint8_t> pixels(3 * picture.width * picture.height);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = picture.planes[i % 3][i / 3];
    Png png;
    png.width = static_cast<png_uint_32>(picture.width);
    png.height = static_cast<png_uint_32>(picture.height);
    png.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&png, path.c_str(), 0, pixels.data(), 0, nullptr)) fail("write", path, png);
}
