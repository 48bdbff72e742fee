#pragma once

#define QUOTE_FOLDER 27
