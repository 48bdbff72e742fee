// Prints which kernels notice that a number is not positive, on the executor that the environment names.
#include "checked.kernels.hpp"
#include "plain.kernels.hpp"

#include <cstdio>
#include <vector>

template <class Call> static const char* outcome(const Call& call) {
    try {
        call();
    } catch (const foldwise::device_error&) {
        return "noticed";
    }
    return "done";
}

int main() {
    const std::vector<int> x{1, -1};
    std::vector<int> out(2);
    std::printf("%s %s %s %s\n", outcome([&] { plain::same(x, out); }), outcome([&] { checked::same(x, out); }),
                outcome([&] { plain::copy(2, x, out); }), outcome([&] { checked::copy(2, x, out); }));
}
