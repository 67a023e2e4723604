// The C library's mathematics, for modules that import no Glibc.

#ifndef TL_MATH_H
#define TL_MATH_H

#include <math.h>

static inline double tl_sin(double radians) { return sin(radians); }
static inline double tl_cos(double radians) { return cos(radians); }
static inline double tl_asin(double value) { return asin(value); }
static inline double tl_exp(double value) { return exp(value); }
static inline double tl_log(double value) { return log(value); }

#endif
