#include <lang/usenglish/us_expand.c>
