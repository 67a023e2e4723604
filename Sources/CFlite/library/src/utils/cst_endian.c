#include <src/utils/cst_endian.c>
