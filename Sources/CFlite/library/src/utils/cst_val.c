#include <src/utils/cst_val.c>
