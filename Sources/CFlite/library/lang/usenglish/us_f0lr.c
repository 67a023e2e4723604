#include <lang/usenglish/us_f0lr.c>
