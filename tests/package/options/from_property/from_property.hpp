#pragma once

#define FROM_PROPERTY 29
