#include <src/speech/cst_track.c>
