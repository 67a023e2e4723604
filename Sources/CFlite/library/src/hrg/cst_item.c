#include <src/hrg/cst_item.c>
