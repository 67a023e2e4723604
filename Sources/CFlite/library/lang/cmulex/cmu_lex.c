#include <lang/cmulex/cmu_lex.c>
