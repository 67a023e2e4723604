#include <src/synth/cst_ffeatures.c>
