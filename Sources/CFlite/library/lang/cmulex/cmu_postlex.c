#include <lang/cmulex/cmu_postlex.c>
