// tests/errors/returns_nothing.kernels.cpp: a lambda without a result.
// RUN: %refused
#include <foldwise/spec.hpp>

// expected-error@+1 {{the lambda of kernel 'f' returns void: an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto f = foldwise::vectorize([](float x) { (void)x; });

struct track {
    float x, velocity;
};
// expected-error@+1 {{the lambda of kernel 'moved' returns void: an elementwise kernel has a result; take 't' by value and return it, and give calls their input as output too [FW006]}}
auto moved = foldwise::vectorize([](track& t) { t.x += t.velocity; });
// expected-error@+1 {{the lambda of kernel 'unchanged' returns void: an elementwise kernel has a result; return a std::tuple for several outputs [FW006]}}
auto unchanged = foldwise::vectorize([](const track& t) { (void)t; });
