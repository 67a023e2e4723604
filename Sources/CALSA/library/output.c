#include <output.c>
