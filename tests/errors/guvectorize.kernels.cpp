// tests/errors/guvectorize.kernels.cpp: layouts that are none, and lambdas that do not fit theirs.
// RUN: %refused
#include <foldwise/spec.hpp>

using foldwise::guvectorize, foldwise::view;

template <class T, int N> using in = view<const T, N>;

constexpr const char* written = "(n)->()";
// expected-error@+1 {{the layout of kernel 'named' is not a string literal, such as "(m,n),(n)->(m)" [FW080]}}
auto named = guvectorize(written, [](in<float, 1> x, float& out) { out = x[0]; });
// expected-error@+1 {{the layout of kernel 'open' cannot be read: expected ',' or ')' [FW081]}}
auto open = guvectorize("(n->()", [](in<float, 1> x, float& out) { out = x[0]; });
// expected-error@+1 {{the layout of kernel 'arrow' cannot be read: expected ',' or '->' [FW081]}}
auto arrow = guvectorize("(n),()", [](in<float, 1> x, float& out) { out = x[0]; });
// expected-error@+1 {{the layout of kernel 'two' has 2 operands, and its lambda takes 3: it needs a parameter for each, outputs behind the inputs [FW082]}}
auto two = guvectorize("(n)->()", [](in<float, 1> x, float y, float& out) { out = x[0] + y; });
// expected-error@+1 {{parameter 'x' of kernel 'flat' is 'in<float, 1>', and the layout says that it is an input (m,n): take 'foldwise::view<const float, 2>' [FW083]}}
auto flat = guvectorize("(m,n)->()", [](in<float, 1> x, float& out) { out = x[0]; });
// expected-error@+1 {{parameter 'x' of kernel 'mutable_input' is 'foldwise::view<float, 1>', and the layout says that it is an input (n): take 'foldwise::view<const float, 1>' [FW083]}}
auto mutable_input = guvectorize("(n)->()", [](view<float, 1> x, float& out) { out = x[0]; });
// expected-error@+1 {{parameter 'out' of kernel 'const_output' is 'in<float, 1>', and the layout says that it is an output (n): take 'foldwise::view<float, 1>' [FW083]}}
auto const_output = guvectorize("(n)->(n)", [](in<float, 1> x, in<float, 1> out) { (void)x, (void)out; });
// expected-error@+1 {{parameter 'out' of kernel 'copied' is 'float', and the layout says that it is an output (): take 'float&' [FW083]}}
auto copied = guvectorize("(n)->()", [](in<float, 1> x, float out) { out = x[0]; });
// expected-error@+1 {{parameter 'a' of kernel 'changed' is 'float &', and the layout says that it is an input (): take 'const float&' [FW083]}}
auto changed = guvectorize("()->()", [](float& a, float& out) { out = a; });
// expected-error@+1 {{parameter 'x' of kernel 'single' is 'in<float, 1>', and the layout says that it is an input (): take 'float' [FW083]}}
auto single = guvectorize("()->()", [](in<float, 1> x, float& out) { out = x[0]; });
// expected-error@+1 {{the lambda of kernel 'returned' returns 'float', and an item has no result: it writes to its outputs, which are its last parameters [FW084]}}
auto returned = guvectorize("(n)->()", [](in<float, 1> x, float& out) { return out = x[0]; });
// expected-error@+1 {{kernel 'untyped' has a generic lambda and no signature to type it: write foldwise::guvectorize<float, double>(...) [FW002]}}
auto untyped = guvectorize("(n)->()", []<class T>(in<T, 1> x, T& out) { out = x[0]; });
// expected-error@+1 {{kernel 'automatic' has a generic lambda and no signature to type it: write []<class T>(foldwise::view<const T, 2> a, T k, T& out) { ... } and foldwise::guvectorize<float, double>(...) [FW002]}}
auto automatic = guvectorize("(m,n),()->()", [](auto a, auto k, auto& out) { out = k * a(0, 0); });
// expected-error@+1 {{kernel 'typed' cannot be made for 'double': its lambda is to have one type parameter and nothing else open, as in []<class T>(foldwise::view<const T, 1> x, T& out) [FW085]}}
auto typed = guvectorize<double>("(n)->()", [](in<float, 1> x, float& out) { out = x[0]; });
// expected-error@+1 {{signature 'float' of kernel 'same' is given twice [FW003]}}
auto same = guvectorize<float, float>("(n)->()", []<class T>(in<T, 1> x, T& out) { out = x[0]; });
