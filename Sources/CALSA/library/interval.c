#include <pcm/interval.c>
