// tests/ptx/cmath_float.kernels.cpp: the float overloads of <cmath> stay float.
