#include <src/speech/cst_wave.c>
