// A header beside its spec, and another one behind it.
#pragma once

#include <scale.hpp>
