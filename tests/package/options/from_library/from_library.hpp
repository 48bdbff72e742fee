#pragma once

#define FROM_LIBRARY 28
