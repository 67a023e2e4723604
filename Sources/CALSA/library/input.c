#include <input.c>
