#include <src/cg/cst_spamf0.c>
