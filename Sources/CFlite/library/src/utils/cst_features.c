#include <src/utils/cst_features.c>
