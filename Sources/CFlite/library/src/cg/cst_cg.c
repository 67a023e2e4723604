#include <src/cg/cst_cg.c>
