// runtime/src/simulator/describe.hpp: how the simulator's messages write things.
#pragma once

#include <foldwise/simulator/cooperation.hpp>
#include <foldwise/simulator/types.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise::simulation {

/// "(5,0,0)".
std::string describe(const dim3& index);
/// "folder/file.cu:12".
std::string describe(const place& where);
/// "0x0000ffff".
std::string hexadecimal(std::uint32_t bits);
std::string joined(const std::vector<std::string>& texts, const char* separator);

}  // namespace foldwise::simulation
