// tests/errors/not_in_device_code.kernels.cpp: parts of the language that no kernel has.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cstdlib>

struct Shape {
    float side = 1;
    virtual float area() const { return side; }
};
constexpr auto twice = [](float x) { return 2 * x; };

// expected-error@+2 {{throw is not possible in a kernel [FW015]}}
// expected-note@+1 {{foldwise::fail("...") reports what is wrong, and ends the call in checked builds}}
auto throws = foldwise::vectorize([](float x) { return x > 0 ? x : throw 1; });
auto tries = foldwise::vectorize([](float x) {
    try {  // expected-error {{a try block is not possible in a kernel [FW015]}}
        return x;
    } catch (...) {
        return 0.0f;
    }
});
auto allocates = foldwise::vectorize([](float x) {
    float* p = new float(x);  // expected-error {{new is not possible in a kernel [FW015]}}
    const float y = *p;
    delete p;  // expected-error {{delete is not possible in a kernel [FW015]}}
    return y;
});
auto assembles = foldwise::vectorize([](float x) {
    asm("");  // expected-error {{an asm statement is not possible in a kernel [FW015]}}
    return x;
});
auto remembers = foldwise::vectorize([](int x) {
    // expected-error@+1 {{a static local variable that can change is not possible in a kernel [FW015]}}
    static int calls = 0;
    return x + ++calls;
});
auto dispatches = foldwise::vectorize([](float x) {
    Shape shape;
    const Shape& any = shape;
    return x * any.area();  // expected-error {{a virtual call is not possible in a kernel [FW015]}}
});
auto first = foldwise::vectorize([](float x) { return x; });
// expected-error@+2 {{a call of another kernel is not possible in a kernel [FW015]}}
// expected-note@+1 {{make a function of what both kernels compute, and call it from both}}
auto second = foldwise::vectorize([](float x) { return first(x); });
inline float applied(float (*function)(float), float x) { return function(x); }
// expected-error@+1 {{a function pointer made of the lambda of a global variable is not possible in a kernel [FW015]}}
auto keeps = foldwise::vectorize([](float x) { return applied(twice, x); });
template <class Call> float applied_as_pointer(Call call, float x) {
    float (*const pointer)(float) =
        call;  // expected-error {{a function pointer made of the lambda of a global variable}}
    return pointer(x);
}
auto keeps_within =
    foldwise::vectorize([](float x) { return applied_as_pointer(twice, x); });  // expected-note {{called from here}}

// Only a variable of a namespace can become a function object.
struct Holder {
    static constexpr auto twice = [](float x) { return 2 * x; };
};
// expected-error@+1 {{'Holder::twice', a lambda in a static data member, is not possible in a kernel [FW015]}}
auto member = foldwise::vectorize([](float x) { return Holder::twice(x); });
template <class T> constexpr auto doubled = [](T x) { return 2 * x; };
// expected-error@+1 {{'doubled', a lambda in a variable template, is not possible in a kernel}}
auto of_template = foldwise::vectorize([](float x) { return doubled<float>(x); });
auto counting = [n = 0](float x) mutable { return x + static_cast<float>(++n); };
// expected-error@+1 {{'counting', a lambda whose captures can change or are not known while compiling, is not possible in a kernel}}
auto counts = foldwise::vectorize([](float x) { return counting(x); });
class Factor {
  public:
    constexpr explicit Factor(float value) : value_(value) {}
    constexpr float value() const { return value_; }

  private:
    float value_;
};
template <class T> struct Pair { T first, second; };
constexpr auto of_pairs = [by = Factor(2)]<class T>(T x, Pair<T> pair) { return by.value() * x * pair.first; };
// expected-error@+1 {{a list in braces as an argument of a generic lambda with captures of a class is not possible in a kernel}}
auto of_braces = foldwise::vectorize([](float x) { return of_pairs(x, {x, x}); });
const auto [factor, other] = Pair<Factor>{Factor(2), Factor(3)};
// expected-error@+1 {{'factor', a structured binding of type 'Factor', is not possible in a kernel}}
auto unpacked = foldwise::vectorize([](float x) { return factor.value() * x; });

// CUDA has an abs of float in the global namespace too, which only a call that names its namespace cannot mean.
inline float abs(float x) { return x < 0 ? 1 - x : 1 + x; }
// expected-error@+1 {{a call of the C library's 'abs' where a template also calls yours is not possible in a kernel}}
template <class T> T magnitude(T x) { return abs(x); }
// expected-note@+1 {{called from here}}
auto ambiguous = foldwise::vectorize([](float x, int i) { return magnitude(x) + magnitude(i); });
auto clear = foldwise::vectorize([](float x, int i) { return magnitude(x) + abs(i); });
constexpr auto two = Pair<decltype(of_pairs)>{of_pairs, of_pairs};
// expected-error@+1 {{'two', a variable whose type is made of lambdas, is not possible in a kernel}}
auto uses_two = foldwise::vectorize([](float x) { return two.first(x, Pair<float>{x, x}); });
