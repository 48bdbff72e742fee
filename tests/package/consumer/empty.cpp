// Libraries of kernels need no source of their own, but some kinds of library do.
