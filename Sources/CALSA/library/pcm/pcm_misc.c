#include <pcm/pcm_misc.c>
