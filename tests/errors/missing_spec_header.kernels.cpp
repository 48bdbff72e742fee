// tests/errors/missing_spec_header.kernels.cpp: a spec without the one header that all specs have.
// RUN: env PRECOMPILED= %refused
// expected-error@+2 {{use of undeclared identifier 'foldwise'}}
// expected-note@+1 {{it is declared in <foldwise/spec.hpp>: add #include <foldwise/spec.hpp>}}
auto doubled = foldwise::vectorize([](float x) { return 2 * x; });
