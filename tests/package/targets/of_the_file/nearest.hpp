#define NEAREST 1
