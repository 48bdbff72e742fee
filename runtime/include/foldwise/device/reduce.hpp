// foldwise/device/reduce.hpp: includes what emitted reductions use.
#pragma once

#include <foldwise/detail/reduce_code.hpp>
#include <foldwise/detail/stored.hpp>
#include <foldwise/device/reduce/columns.hpp>
#include <foldwise/device/reduce/groups.hpp>
#include <foldwise/device/reduce/lanes.hpp>
#include <foldwise/device/reduce/segmented.hpp>
#include <foldwise/device/reduce/staged.hpp>
#include <foldwise/device/view_parameter.hpp>
