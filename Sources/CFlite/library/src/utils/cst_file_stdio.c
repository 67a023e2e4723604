#include <src/utils/cst_file_stdio.c>
