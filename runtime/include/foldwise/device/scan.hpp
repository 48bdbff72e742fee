// foldwise/device/scan.hpp: the device code of emitted scans.
#pragma once

#include <foldwise/detail/stored.hpp>
#include <foldwise/device/launch.hpp>
#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/tiles.hpp>
#include <foldwise/device/view_parameter.hpp>
