#include <src/utils/cst_tokenstream.c>
