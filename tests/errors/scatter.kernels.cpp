// tests/errors/scatter.kernels.cpp: parts that a scattered fold cannot have.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <array>
#include <utility>

inline int add(int a, int b) { return a + b; }

// expected-error@+1 {{the map of kernel 'placeless' returns 'int', and a scatter's says where a value goes: return foldwise::at(place, value), or a std::array of several [FW074]}}
auto placeless = foldwise::scatter<int(int)>(foldwise::map([](int x) { return x; }), add, foldwise::identity(0));
// expected-error@+1 {{the map of kernel 'silent' returns nothing, and a scatter's says where a value goes: return foldwise::at(place, value), or a std::array of several [FW074]}}
auto silent = foldwise::scatter<int(int)>(foldwise::map([](int) {}), add, foldwise::identity(0));
// expected-error@+2 {{the map of kernel 'placed' returns 'foldwise::placed<1, int>', a value with a place to go to, and only those of a foldwise::scatter have one: return the value alone [FW074]}}
auto placed =
    foldwise::reduce<int(int)>(foldwise::map([](int x) { return foldwise::at(x, x); }), add, foldwise::identity(0));
// expected-error@+1 {{scatter 'unknown' has no identity, which new places hold that no element goes to: add foldwise::identity(value), lowest or highest [FW075]}}
auto unknown =
    foldwise::scatter<int(int)>(foldwise::map([](int x) { return foldwise::at(x, x); }), add, foldwise::no_identity);
// expected-error@+2 {{scatter 'finished' has a finish, and places hold accumulators [FW075]}}
auto finished = foldwise::scatter<int(int)>(foldwise::map([](int x) { return foldwise::at(x, x); }), add,
                                            foldwise::finish([](int x) { return -x; }), foldwise::identity(0));
// expected-error@+1 {{scatter 'many' has 65 places for each element, and there is room for 64 [FW075]}}
auto many = foldwise::scatter<int(int)>(foldwise::map([](int x) {
                                            std::array<foldwise::placed<1, int>, 65> all{};
                                            all[0] = foldwise::at(x, x);
                                            return all;
                                        }),
                                        add, foldwise::identity(0));
// expected-error@+1 {{scatter 'whole' has no elements: give it an input that is not a whole array [FW075]}}
auto whole = foldwise::scatter<int(foldwise::view<const int, 1>)>(
    foldwise::map([](foldwise::index<1> i, foldwise::view<const int, 1> x) { return foldwise::at(i, x[i]); }), add,
    foldwise::identity(0));

// expected-error@+2 {{the map of kernel 'paired' returns 'std::pair<int, float>', and a scatter's says where a value goes: return foldwise::at(place, value), or a std::array of several [FW074]}}
auto paired = foldwise::scatter<float(float, int)>(
    foldwise::map([](float x, int bin) {
        return std::pair{bin, x};
    }),
    [](float a, float b) { return a + b; }, foldwise::identity(0));

// expected-error@+1 {{scatter 'bare' has no map, which says where each value goes: add foldwise::map(...), which returns foldwise::at(place, value) [FW075]}}
auto bare = foldwise::scatter<int>([](int& bin, int x) { bin += x; });
// expected-error@+1 {{scatter 'mapless' has no map, which says where each value goes: add foldwise::map(...), which returns foldwise::at(place, value) [FW075]}}
auto mapless = foldwise::scatter<int>(add, foldwise::identity(0));
// expected-error@+1 {{scatter 'undecided' has no identity, which new places hold that no element goes to: add foldwise::identity(value), lowest or highest [FW075]}}
auto undecided = foldwise::scatter<int(int)>(foldwise::map([](int x) { return foldwise::at(x, x); }), add);
