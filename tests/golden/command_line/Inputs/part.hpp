inline float part(float x) { return x; }
