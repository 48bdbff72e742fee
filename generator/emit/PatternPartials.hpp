// generator/emit/PatternPartials.hpp: partials that include the partial of the same purpose of every pattern.
#pragma once

#include <map>
#include <string>

namespace foldwise {

/// Adds a text for each tag such as `<%> *_functions %>` in the texts: it includes `vectorize_functions` for each
/// element of the array `vectorize`, and so on for every pattern.
void addPatternPartials(std::map<std::string, std::string>& texts);

}  // namespace foldwise
