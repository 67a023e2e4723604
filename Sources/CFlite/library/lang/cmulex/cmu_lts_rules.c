#include <lang/cmulex/cmu_lts_rules.c>
