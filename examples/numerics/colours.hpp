// colours.hpp: pictures of numbers.
#pragma once

#include "picture.hpp"

#include <foldwise/array.hpp>

/// A picture of a matrix: 0 is black, 1 is white, red and yellow are between.
Picture glowing(const foldwise::array<float>& heat);
