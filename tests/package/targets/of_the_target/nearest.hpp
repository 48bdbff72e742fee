#define NEAREST 2
