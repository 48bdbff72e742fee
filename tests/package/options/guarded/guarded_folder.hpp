#pragma once

#define GUARDED_FOLDER 30
