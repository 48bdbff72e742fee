// A header that only one of the specs includes.
#pragma once

#define SCALE 2
