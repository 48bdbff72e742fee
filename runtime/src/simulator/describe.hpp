// runtime/src/simulator/describe.hpp: formats values for the simulator's messages.
#pragma once

#include <foldwise/simulator/cooperation.hpp>
#include <foldwise/simulator/types.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise::simulation {

/// Formats an index as "(5,0,0)".
std::string describe(const dim3& index);
/// Formats a place as "folder/file.cu:12".
std::string describe(const place& where);
/// Formats a mask as "0x0000ffff".
std::string hexadecimal(std::uint32_t bits);
/// Concatenates texts with a separator between them.
std::string joined(const std::vector<std::string>& texts, const char* separator);

}  // namespace foldwise::simulation
