#include <conf.c>
