// A header that no file includes: -include does.
#pragma once

#define FORCED 32

struct forced {
    int number;
};
