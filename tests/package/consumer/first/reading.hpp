// A header beside its spec, with a type that a kernel's signature has: what calls the kernel needs it, too.
#pragma once

struct reading {
    int value;
};
