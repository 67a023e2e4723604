#include <lang/usenglish/us_text.c>
