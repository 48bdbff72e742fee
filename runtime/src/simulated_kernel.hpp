// runtime/src/simulated_kernel.hpp: tells the simulator which kernel a call runs there.
#pragma once

namespace foldwise::detail {

/// The name of the kernel that a call of this host thread runs on the simulator, as the spec has it; null if there is
/// none, as where a program launches code of its own.
inline thread_local const char* simulated_kernel = nullptr;

/// Sets simulated_kernel while it lives.
class simulates {
  public:
    explicit simulates(const char* kernel) { simulated_kernel = kernel; }
    simulates(const simulates&) = delete;
    simulates& operator=(const simulates&) = delete;
    ~simulates() { simulated_kernel = nullptr; }
};

}  // namespace foldwise::detail
