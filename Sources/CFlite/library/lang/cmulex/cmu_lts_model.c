#include <lang/cmulex/cmu_lts_model.c>
