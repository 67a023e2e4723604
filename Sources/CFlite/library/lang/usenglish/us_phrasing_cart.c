#include <lang/usenglish/us_phrasing_cart.c>
