// tests/errors/Inputs/cuda/functions.hpp: a vector type, a 16-bit float and a function, as CUDA's headers declare them
// for the host.
#pragma once

struct float3 {
    float x, y, z;
};
static inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }

struct __half {
    unsigned short bits;
    __half(float x);
    operator float() const;
};
__half operator+(const __half& a, const __half& b);

float __expf(float x);
