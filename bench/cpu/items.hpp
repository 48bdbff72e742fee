// bench/cpu/items.hpp: what bench.cpp adds to its cases from items.cpp.
#pragma once

namespace bench {

/// Registers stencils, blocks of items and functions of rows, each with its peers.
void add_items();

}  // namespace bench
