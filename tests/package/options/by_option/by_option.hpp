#pragma once

#define BY_OPTION 26
