#include <src/hrg/cst_ffeature.c>
