#include <confmisc.c>
