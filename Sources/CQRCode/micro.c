// The Micro codes of libqrencode, whose names are those of library.c again.

#define STATIC_IN_RELEASE static

#include <mmask.c>
#include <mqrspec.c>
