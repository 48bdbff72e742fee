// tasks.hpp: the examples.
#pragma once

#include "examples.hpp"

void roundColumn(const Options& options);
void squareMatrix(const Options& options);
void heatPlate(const Options& options);
void histogramOfBrightness(const Options& options);
void permuteValues(const Options& options);
void drawMandelbrot(const Options& options);
void mapCities(const Options& options);
