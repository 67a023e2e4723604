#include <lang/usenglish/usenglish.c>
