#include <error.c>
