// tests/precompiled_launchers.cpp: a target needs a source to have a precompiled header.
