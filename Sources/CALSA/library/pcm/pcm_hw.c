#include <pcm/pcm_hw.c>
