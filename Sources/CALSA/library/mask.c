#include <pcm/mask.c>
