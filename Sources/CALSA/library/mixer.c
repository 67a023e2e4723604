#include <mixer/mixer.c>
