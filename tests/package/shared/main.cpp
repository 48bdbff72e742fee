// Arrays pass from one library to the other, and errors are caught in another library than the one that throws them.
#include <first.kernels.hpp>
#include <second.kernels.hpp>

#include <cstdio>
#include <utility>
#include <vector>

namespace first {
float total(const foldwise::array<float>& x, foldwise::executor executor);
foldwise::array<float> reversed(const foldwise::array<float>& x, foldwise::executor executor);
void fail_in_a_kernel(foldwise::executor executor);
}  // namespace first
namespace second {
float total(const foldwise::array<float>& x, foldwise::executor executor);
foldwise::array<float> reversed(const foldwise::array<float>& x, foldwise::executor executor);
void fail_in_a_kernel(foldwise::executor executor);
}  // namespace second

template <class Error> static const char* error_of(auto&& call) {
    try {
        call();
        return "nothing";
    } catch (const Error&) {
        return "caught";
    } catch (const std::exception& other) {
        return other.what();
    }
}

int main() {
    for (const foldwise::executor& executor :
         {foldwise::executor(foldwise::cpu()), foldwise::executor(foldwise::simulator())}) {
        foldwise::array<float> x = foldwise::to_device(std::vector<float>{1, 2, 3, 4, 5}, foldwise::cpu());
        x = first::twice(second::reversed(first::twice(x, executor), executor), executor);
        x = second::twice(first::reversed(x, executor), executor);
        std::printf("%g %g", static_cast<double>(first::total(x, executor)),
                    static_cast<double>(second::total(x, executor)));

        const std::vector<float> three(3);
        std::vector<float> two(2);
        std::printf(" %s %s", error_of<foldwise::shape_error>([&] { first::twice(three, two, executor); }),
                    error_of<foldwise::shape_error>([&] { second::twice(three, two, executor); }));
        std::printf(" %s %s\n", error_of<foldwise::device_error>([&] { first::fail_in_a_kernel(executor); }),
                    error_of<foldwise::device_error>([&] { second::fail_in_a_kernel(executor); }));
    }
}
