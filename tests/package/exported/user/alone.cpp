#include <cstddef>
#include <cstdio>

void twice_in_place(float* x, std::size_t count);

int main() {
    float x[] = {1, 2, 3};
    twice_in_place(x, 3);
    std::printf("%g\n", static_cast<double>(x[2]));
}
