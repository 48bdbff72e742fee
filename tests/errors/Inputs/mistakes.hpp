// tests/errors/Inputs/mistakes.hpp: mistakes of users, each two calls deep in a header. A kernel calls NAME_outer,
// which calls NAME_inner; the error is there, and the notes lead back. The spec names one of them in MISTAKE.
#pragma once

// Each takes long to read, and there are fifteen runs.
#if MISTAKE == 6
#include <string>
#elif MISTAKE == 7
#include <vector>
#elif MISTAKE == 8
#include <iostream>
#elif MISTAKE == 13
#include <typeinfo>
#endif

namespace helpers {

inline float gain = 2;
float from_elsewhere(float x);
struct Shape {
    virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    constexpr Square(float s) : side(s) {}
    float area() const override { return side * side; }
};

#if MISTAKE == 1
inline float inner(float x) { return *new float(x); }  // expected-error {{new is not possible in a kernel}}
#elif MISTAKE == 2
// expected-error@+1 {{'helpers::from_elsewhere' has no body here}}
inline float inner(float x) { return from_elsewhere(x); }
#elif MISTAKE == 3
inline float inner(float x) {
    asm("" : "+r"(x));  // expected-error {{an asm statement is not possible in a kernel}}
    return x;
}
#elif MISTAKE == 4
inline float inner(float x) { return x * gain; }  // expected-error {{'helpers::gain' is a variable that can change}}
#elif MISTAKE == 5
inline float inner(float x) {
    static int calls = 0;  // expected-error {{a static local variable that can change is not possible in a kernel}}
    return x + static_cast<float>(++calls);
}
#elif MISTAKE == 6
// expected-error@+2 {{'std::to_string' does not exist in device code}}
// expected-error@+1 {{'std::basic_string<char>' cannot be used in a kernel}}
inline float inner(float x) { return static_cast<float>(std::to_string(x)[0]); }
#elif MISTAKE == 7
inline float inner(float x) {
    std::vector<float> v(3, x);  // expected-error {{'std::vector<float>' cannot be used in a kernel}}
    return x;
}
#elif MISTAKE == 8
inline float inner(float x) {
    std::cout << x;  // expected-error 1+ {{does not exist in device code}}
    return x;
}
#elif MISTAKE == 9
// expected-error@+2 {{throw is not possible in a kernel}}
// expected-note@+1 {{foldwise::fail("...")}}
inline float inner(float x) { return x < 0 ? throw 1 : x; }
#elif MISTAKE == 10
inline float inner(float x) {
    try {  // expected-error {{a try block is not possible in a kernel}}
        return x;
    } catch (...) {
        return 0;
    }
}
#elif MISTAKE == 11
inline float area_of(const Shape& shape) { return shape.area(); }  // expected-error {{a virtual call is not possible}}
inline float inner(float x) { return area_of(Square(x)); }         // expected-note 1+ {{called from here}}
#elif MISTAKE == 12
// expected-error@+1 {{dynamic_cast is not possible in a kernel}}
inline float side_of(const Shape& shape) { return dynamic_cast<const Square&>(shape).side; }
inline float inner(float x) { return side_of(Square(x)); }  // expected-note 1+ {{called from here}}
#elif MISTAKE == 13
// expected-error@+1 {{typeid is not possible in a kernel}}
inline float inner(float x) { return &typeid(x) == nullptr ? 0 : x; }
#elif MISTAKE == 14
inline void free(float* p) { delete p; }  // expected-error {{delete is not possible in a kernel}}
inline float inner(float x) {
    free(&x);  // expected-note 1+ {{called from here}}
    return x;
}
#elif MISTAKE == 15
float (*chosen)(float) = nullptr;
inline float inner(float x) { return chosen(x); }  // expected-error {{'helpers::chosen' is a variable that can change}}
#endif

inline float outer(float x) { return inner(x) + 1; }  // expected-note 1+ {{called from here}}

}  // namespace helpers
