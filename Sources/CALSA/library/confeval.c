#include <confeval.c>
