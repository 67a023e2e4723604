#include <src/synth/cst_synth.c>
