#error "nobody asked for this"
