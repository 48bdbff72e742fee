#pragma once

#define AFTER 24
