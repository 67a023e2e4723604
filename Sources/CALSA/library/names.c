#include <names.c>
