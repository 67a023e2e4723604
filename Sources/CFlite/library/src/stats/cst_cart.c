#include <src/stats/cst_cart.c>
