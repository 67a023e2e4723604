#include <lang/usenglish/us_nums_cart.c>
