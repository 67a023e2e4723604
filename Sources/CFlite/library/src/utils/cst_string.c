#include <src/utils/cst_string.c>
