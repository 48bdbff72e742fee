// tests/foreign/libraries.hpp: the headers of the libraries, for the kernels and for what they are compared with.
#pragma once

#ifndef NDEBUG
#define NDEBUG  // the libraries' assertions are left out of kernels and references alike
#endif
#define GLM_ENABLE_EXPERIMENTAL
#define STB_DIVIDE_IMPLEMENTATION

#include <boost/algorithm/clamp.hpp>
#include <boost/integer/integer_log2.hpp>
#include <boost/math/tools/rational.hpp>
#include <eigen3/Eigen/Core>
#include <glm/glm.hpp>
#include <glm/gtc/color_space.hpp>
#include <glm/gtc/noise.hpp>
#include <glm/gtc/round.hpp>
#include <glm/gtx/easing.hpp>
#include <glm/gtx/wrap.hpp>
#include <stb/stb_divide.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
