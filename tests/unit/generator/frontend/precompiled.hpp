// tests/unit/generator/frontend/precompiled.hpp: what the specs of tests include, precompiled for parse().
#include <foldwise/spec.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
