#include <mixer/simple.c>
