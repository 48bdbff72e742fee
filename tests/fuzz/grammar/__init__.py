"""Random specs: ordinary C++20 whose behaviour is defined, made of what a kernel may hold."""
