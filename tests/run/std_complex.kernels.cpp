// tests/run/std_complex.kernels.cpp: every function of <complex>, for float and for double. A kernel takes real and
// imaginary parts and returns the one that its last operand asks for.
#include <foldwise/spec.hpp>

#include <complex>

#define UNARY(name)                                                                                                    \
    auto name = foldwise::vectorize<float(float, float, bool), double(double, double, bool)>(                          \
        [](auto a, auto b, bool imag) { return part(std::name(std::complex(a, b)), imag); })
#define BINARY(name, expression)                                                                                       \
    auto name =                                                                                                        \
        foldwise::vectorize<float(float, float, float, float, bool), double(double, double, double, double, bool)>(    \
            [](auto a, auto b, auto c, auto d, bool imag) {                                                            \
                const std::complex x(a, b), y(c, d);                                                                   \
                return part(expression, imag);                                                                         \
            })

namespace std_complex {

using namespace std::complex_literals;

template <class T> constexpr T part(const std::complex<T>& z, bool imag) { return imag ? z.imag() : z.real(); }

UNARY(acos);
UNARY(acosh);
UNARY(asin);
UNARY(asinh);
UNARY(atan);
UNARY(atanh);
UNARY(cos);
UNARY(cosh);
UNARY(exp);
UNARY(log);
UNARY(log10);
UNARY(sin);
UNARY(sinh);
UNARY(sqrt);
UNARY(tan);
UNARY(tanh);
UNARY(conj);
UNARY(proj);

BINARY(abs_arg, std::complex(std::abs(x), arg(y)));
BINARY(norm_polar, std::complex(norm(x), std::polar(std::abs(c), d).real()));
BINARY(add, x + y);
BINARY(subtract, x - y);
BINARY(multiply, x* y);
BINARY(divide, x / y);
BINARY(pow, std::pow(x, y));
BINARY(add_real, x + c);
BINARY(real_add, a + y);
BINARY(subtract_real, x - c);
BINARY(real_subtract, a - y);
BINARY(multiply_real, x* c);
BINARY(real_multiply, a* y);
BINARY(divide_real, x / c);
BINARY(real_divide, a / y);
BINARY(pow_real, std::pow(x, c));
BINARY(real_pow, std::pow(a, y));
BINARY(equal, std::complex(x == y ? a : c, x != c ? a : c));

// Members, literals, assignments and what <complex> says of real numbers.
auto members =
    foldwise::vectorize<float(float, float, bool), double(double, double, bool)>([](auto a, auto b, bool imag) {
        std::complex<decltype(a)> z = a;
        z.imag(b);
        z += 2;
        z *= std::complex<decltype(a)>(0, 1);
        z -= z / decltype(a)(4);
        z = -z;
        z /= std::complex<decltype(a)>(2, 2);
        return part(z + std::conj(z) + std::complex<decltype(a)>(std::real(a), std::imag(b)), imag);
    });
auto literals = foldwise::vectorize([](double a, double b, bool imag) { return part(a + b * 1.0i + 2i, imag); });
auto float_literals =
    foldwise::vectorize([](float a, float b, bool imag) { return part(a + b * 1.0if - std::complex(a), imag); });
constexpr std::complex<float> turn(0, 1);
auto constant = foldwise::vectorize([](float a, float b, bool imag) { return part(turn * std::complex(a, b), imag); });

}  // namespace std_complex
