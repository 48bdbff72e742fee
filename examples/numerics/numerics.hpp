// numerics.hpp: the examples.
#pragma once

#include "examples.hpp"

void multiplyMatrices(const Options& options);
void moveBodies(const Options& options);
void heatRooms(const Options& options);
void smoothPhotograph(const Options& options);
void solveSystems(const Options& options);
void reduceColours(const Options& options);

/// The PNG file that --in names, or else a noisy picture of coloured squares, of the size that is asked for.
Picture givenPicture(const Options& options, Size size);
