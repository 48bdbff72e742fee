// Tasks of a forall kernel that write to one place: they wait for nobody, and are threads to ThreadSanitizer all the
// same.
// REQUIRES: thread
// RUN: %build.thread -fsanitize=thread
// RUN: not %run-thread race 2>&1 | FileCheck %s
// RUN: %run-thread atomic 2>&1 | count 0
#define FOLDWISE_SIMULATOR 1
#include <foldwise/device/atomic.hpp>
#include <foldwise/device/forall.hpp>

#include <string>

namespace device = foldwise::device_code;

template <device::view_layout Layout>
__global__ void count(device::view_parameter<int, 1, Layout> sum, bool is_atomic, device::forall_grid<1> tasks) {
    const device::task<1, Layout> task(tasks);
    if (!task.exists()) return;
    // CHECK: data race
    // CHECK: #0 {{.*}}count{{.*}}tasks.cpp:[[# @LINE + 5]]
    // CHECK: simulator: in thread ({{[0-9]+}},0,0) of block (0,0,0)
    if (is_atomic)
        std::atomic_ref(sum.view()[0]).fetch_add(1);
    else
        sum.view()[0] += 1;
}

int main(int, char** arguments) {
    int sum = 0;
    bool is_atomic = arguments[1] == std::string("atomic");
    const std::int64_t tasks = 100;
    const foldwise::detail::forall_argument given[] = {{&sum, {1}, {1}}, {&is_atomic, {}, {}}};
    const foldwise::detail::forall_call call{&tasks, 0, tasks, given, true};
    static constexpr int ranks[] = {1, 0};
    const foldwise::detail::forall_code code = {
        .file = &device::this_file,
        .instances = {device::code_of<count<device::view_layout::plain>>(),
                      device::code_of<count<device::view_layout::strided>>()},
        .ranks = ranks,
        .parameters = 2,
        .index_rank = 1,
        .threads = 256,
    };
    foldwise::detail::launch(code, call, nullptr);
    return is_atomic && sum != 100;
}
