#include <pcm/pcm_mmap.c>
