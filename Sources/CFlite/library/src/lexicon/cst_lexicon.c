#include <src/lexicon/cst_lexicon.c>
