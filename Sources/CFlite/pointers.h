// Comes before every file of flite (Package.swift). Its values are laid out for wide pointers on x86-64 alone; on 64-bit ARM the
// constants in its voices then have another layout than the code that reads them. Debian's patch "64bit" asks for the width of
// pointers in each of these places; here the width says what they ask for.

#include <stdint.h>

#if UINTPTR_MAX > 0xffffffff && !defined(_M_X64)
#define _M_X64 1
#endif

// Constants that hold pointers stand together, for constants.c.
#pragma clang section relro = "flite_constants"
