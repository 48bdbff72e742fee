// tests/errors/std_special_functions.kernels.cpp: the special functions of <cmath> are the host's.
// RUN: %refused
#include <foldwise/spec.hpp>

#include <cmath>

auto special = foldwise::vectorize([](double x) {
    double sum = std::beta(x, x);         // expected-error {{'std::beta' does not exist in device code [FW013]}}
    sum += std::assoc_laguerre(1, 1, x);  // expected-error {{'std::assoc_laguerre' does not exist}}
    sum += std::assoc_legendre(1, 1, x);  // expected-error {{'std::assoc_legendre' does not exist}}
    sum += std::comp_ellint_1(x);         // expected-error {{'std::comp_ellint_1' does not exist}}
    sum += std::comp_ellint_2(x);         // expected-error {{'std::comp_ellint_2' does not exist}}
    sum += std::comp_ellint_3(x, x);      // expected-error {{'std::comp_ellint_3' does not exist}}
    sum += std::cyl_bessel_i(0.0, x);     // expected-error {{'std::cyl_bessel_i' does not exist}}
    sum += std::cyl_bessel_j(0.0, x);     // expected-error {{'std::cyl_bessel_j' does not exist}}
    sum += std::cyl_bessel_k(0.0, x);     // expected-error {{'std::cyl_bessel_k' does not exist}}
    sum += std::cyl_neumann(0.0, x);      // expected-error {{'std::cyl_neumann' does not exist}}
    sum += std::ellint_1(x, x);           // expected-error {{'std::ellint_1' does not exist}}
    sum += std::ellint_2(x, x);           // expected-error {{'std::ellint_2' does not exist}}
    sum += std::ellint_3(x, x, x);        // expected-error {{'std::ellint_3' does not exist}}
    sum += std::expint(x);                // expected-error {{'std::expint' does not exist}}
    sum += std::hermite(2, x);            // expected-error {{'std::hermite' does not exist}}
    sum += std::laguerre(2, x);           // expected-error {{'std::laguerre' does not exist}}
    sum += std::legendre(2, x);           // expected-error {{'std::legendre' does not exist}}
    sum += std::riemann_zeta(x);          // expected-error {{'std::riemann_zeta' does not exist}}
    sum += std::sph_bessel(2, x);         // expected-error {{'std::sph_bessel' does not exist}}
    return sum;
});
