#include <lang/usenglish/us_ffeatures.c>
