// foldwise/device/reduce.hpp: what emitted reductions are made of.
#pragma once

#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/device/reduce/columns.hpp>
#include <foldwise/device/reduce/groups.hpp>
