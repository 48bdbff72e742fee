// The spec: the formulas of the module weather.kernels, as C++ lambdas.
#include <foldwise/spec.hpp>

#include <cmath>
#include <functional>

namespace weather {

/// The temperature in °C that air of `temperature` °C feels like in a wind of `speed` km/h.
auto wind_chill = foldwise::vectorize<float(float, float), double(double, double)>([](auto temperature, auto speed) {
    using number = decltype(temperature);
    if (temperature > 10 || speed < number(4.8)) return temperature;
    const number power = std::pow(speed, number(0.16));
    return number(13.12) + number(0.6215) * temperature - number(11.37) * power + number(0.3965) * temperature * power;
});

/// The heat that a house needs over days of these mean temperatures in °C: the degrees below 15 °C, added up.
auto heating_degree_days = foldwise::reduce<float(float), double(double)>(
    foldwise::map([](auto temperature) { return temperature < 15 ? 15 - temperature : 0; }), std::plus<>{},
    foldwise::identity(0));

}  // namespace weather
