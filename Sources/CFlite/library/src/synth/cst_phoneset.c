#include <src/synth/cst_phoneset.c>
