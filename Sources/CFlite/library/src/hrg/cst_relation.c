#include <src/hrg/cst_relation.c>
