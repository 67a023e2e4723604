#include <src/hrg/cst_utterance.c>
