#include <src/regex/cst_regex.c>
