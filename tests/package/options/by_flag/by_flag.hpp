#pragma once

#define BY_FLAG 25
