#include <src/regex/regsub.c>
