#include <src/lexicon/cst_lts.c>
