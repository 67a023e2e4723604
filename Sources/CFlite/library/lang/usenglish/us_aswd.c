#include <lang/usenglish/us_aswd.c>
