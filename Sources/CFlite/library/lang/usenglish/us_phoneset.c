#include <lang/usenglish/us_phoneset.c>
