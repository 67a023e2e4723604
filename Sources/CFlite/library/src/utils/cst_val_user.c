#include <src/utils/cst_val_user.c>
