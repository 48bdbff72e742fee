// main.cpp: the examples by name.
#include "tasks.hpp"

int main(int argc, char** argv) {
    return runExample("tasks",
                      {
                          {"round", roundColumn, {"round a column of a table, W columns by H rows"}},
                          {"square", squareMatrix, {"multiply a matrix of W rows and columns by itself"}},
                          {"heat", heatPlate, {"let heat spread in a plate, --steps times"}},
                          {"histogram",
                           histogramOfBrightness,
                           {"count the brightness of pixels, those of the PNG file --in if given"}},
                          {"permute", permuteValues, {"bring W values into order and back"}},
                          {"mandelbrot", drawMandelbrot, {"draw the Mandelbrot set, into the PNG file --out if given"}},
                          {"cities",
                           mapCities,
                           {"find the nearest city for each point of the Earth, by tzdata's table or the",
                            "one that --in names, and map that into the PNG file --out if given"}},
                      },
                      argc, argv);
}
