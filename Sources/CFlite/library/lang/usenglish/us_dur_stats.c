#include <lang/usenglish/us_dur_stats.c>
