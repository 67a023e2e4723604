#include <lang/usenglish/us_int_accent_cart.c>
