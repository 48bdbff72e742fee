// tests/distributed/precompiled.cpp: a target needs a source to have a precompiled header.
