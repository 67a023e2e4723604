#include <src/synth/cst_voice.c>
