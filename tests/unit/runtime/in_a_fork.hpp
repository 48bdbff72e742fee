// tests/unit/runtime/in_a_fork.hpp: runs a part of a test in a forked process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>

/// Whether works() is true in a child of this process. False, too, where it throws, or has not returned after 20
/// seconds.
template <class Works> bool in_a_fork(const Works& works) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        bool did = false;
        try {
            did = works();
        } catch (const std::exception&) {
        }
        _exit(did ? 0 : 1);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
