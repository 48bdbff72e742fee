// generator/DeepStack.cpp: runs work on a thread with a large stack.
#include "DeepStack.hpp"

#include <cstddef>

#include <pthread.h>

namespace foldwise {

namespace {

constexpr std::size_t largestStack = std::size_t{1} << 30, smallestStack = std::size_t{16} << 20;

struct Run {
    llvm::function_ref<int()> work;
    int status = 0;

    static void* start(void* run) {
        auto& self = *static_cast<Run*>(run);
        self.status = self.work();
        return nullptr;
    }
};

/// Whether there was a thread to run on.
bool runOnStackOf(std::size_t bytes, Run& run) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_t thread;
    const bool runs = pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                      pthread_create(&thread, &attributes, Run::start, &run) == 0;
    pthread_attr_destroy(&attributes);
    return runs && pthread_join(thread, nullptr) == 0;
}

}  // namespace

int runOnDeepStack(llvm::function_ref<int()> work) {
    Run run{work};
    for (std::size_t bytes = largestStack; bytes >= smallestStack; bytes /= 2)
        if (runOnStackOf(bytes, run)) return run.status;
    return work();
}

}  // namespace foldwise
