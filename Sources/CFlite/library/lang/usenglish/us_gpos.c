#include <lang/usenglish/us_gpos.c>
