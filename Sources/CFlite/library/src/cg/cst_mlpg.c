#include <src/cg/cst_mlpg.c>
