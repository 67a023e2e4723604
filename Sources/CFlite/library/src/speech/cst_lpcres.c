#include <src/speech/cst_lpcres.c>
