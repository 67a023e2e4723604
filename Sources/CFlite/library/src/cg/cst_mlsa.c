#include <src/cg/cst_mlsa.c>
