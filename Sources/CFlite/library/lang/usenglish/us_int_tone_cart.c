#include <lang/usenglish/us_int_tone_cart.c>
