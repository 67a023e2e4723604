#include <lang/usenglish/us_f0_model.c>
