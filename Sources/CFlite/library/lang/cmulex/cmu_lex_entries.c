#include <lang/cmulex/cmu_lex_entries.c>
