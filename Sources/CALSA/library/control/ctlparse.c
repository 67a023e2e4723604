#include <control/ctlparse.c>
