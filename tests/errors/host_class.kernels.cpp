// tests/errors/host_class.kernels.cpp: classes that allocate memory, or hold something else of the host. A class is
// told once in each function, at its first use there.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

auto vectors = foldwise::vectorize([](int x) {
    // expected-error@+1 {{'std::vector<int>' cannot be used in a kernel, because it manages memory or other resources of the host: use arrays of fixed size, such as std::array, or operands [FW062]}}
    std::vector<int> many(3);
    many.push_back(x);
    for (int& one : many) one += x;
    return many.front() + many[1];
});

inline float called(float x) {
    const std::vector<float> two{x, x};  // expected-error {{'std::vector<float>' cannot be used in a kernel}}
    return two[0] + two[1];
}
auto calling = foldwise::vectorize([](float x) { return called(x); });  // expected-note {{called from here}}
auto again = foldwise::vectorize([](float x) {
    std::vector<float> two;  // expected-error {{'std::vector<float>' cannot be used in a kernel}}
    two.push_back(x);
    return two[0];
});

static const std::vector<int> primes{2, 3, 5};
auto of_global = foldwise::vectorize([](int i) {
    return primes[i];  // expected-error {{'std::vector<int>' cannot be used in a kernel}}
});

auto others = foldwise::vectorize([](int x) {
    const std::string text("abc");                    // expected-error {{'std::basic_string<char>' cannot be used}}
    const std::function<int()> f = [] { return 1; };  // expected-error {{'std::function<int ()>' cannot be used}}
    std::map<int, int> squares;                       // expected-error {{'std::map<int, int>' cannot be used}}
    squares[x] = x * x;
    const std::unique_ptr<int> one(nullptr);    // expected-error {{'std::unique_ptr<int>' cannot be used}}
    std::optional<std::vector<float>> perhaps;  // expected-error {{'std::optional<std::vector<float>>' cannot be used}}
    static std::mutex mutex;  // expected-error {{a static local variable that can change is not possible}}
    const std::lock_guard<std::mutex> lock(mutex);  // expected-error {{'std::lock_guard<std::mutex>' cannot be used}}
    return x + static_cast<int>(text.size());
});

// What needs no host when it is destroyed.
auto fine = foldwise::vectorize([](float x) {
    const std::optional<float> perhaps = x;
    const std::pair<float, int> both{*perhaps, 2};
    return both.first;
});
