#include <src/utils/cst_val_const.c>
