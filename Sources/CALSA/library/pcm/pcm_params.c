#include <pcm/pcm_params.c>
