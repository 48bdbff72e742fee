// Prints what the program sees, and where its kernels see something else.
#include "macros.kernels.hpp"
#include "seen.hpp"

#include <cstdio>
#include <vector>

int main() {
    std::vector<int> what(seen_count), kernels(seen_count);
    for (int i = 0; i < seen_count; ++i) what[i] = i;
    macros::seen(what, kernels);

    std::vector<forced> values{{21}}, doubled(1);
    macros::doubled(values, doubled);

    const char* const names[] = {
#define NAME(name, number) name,
        WHAT_IS_SEEN(NAME)
#undef NAME
    };
    for (int i = 0; i < seen_count; ++i)
        if (seen(i) == kernels[i])
            std::printf("%s=%d ", names[i], seen(i));
        else
            std::printf("%s=%d(the kernel: %d) ", names[i], seen(i), kernels[i]);
    std::printf("forced=%d\n", doubled[0].number);
}
