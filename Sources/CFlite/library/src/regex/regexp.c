#include <src/regex/regexp.c>
