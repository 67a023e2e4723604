#include <src/cg/cst_vc.c>
