#include <control/cards.c>
