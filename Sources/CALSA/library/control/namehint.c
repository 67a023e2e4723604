#include <control/namehint.c>
