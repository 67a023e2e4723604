#include <lang/usenglish/us_pos_cart.c>
