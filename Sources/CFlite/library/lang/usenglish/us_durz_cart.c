#include <lang/usenglish/us_durz_cart.c>
