#include <control/tlv.c>
