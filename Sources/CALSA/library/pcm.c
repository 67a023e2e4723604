#include <pcm/pcm.c>
