#include <src/synth/cst_utt_utils.c>
