#include <src/stats/cst_viterbi.c>
