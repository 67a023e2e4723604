#include <mixer/bag.c>
