#include <lang/cmulex/cmu_lex_data.c>
