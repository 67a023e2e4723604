// The constants of flite that hold pointers. A program that may stand anywhere has them written when it starts, which makes half a megabyte
// of them memory of its own, in every process. So they are given back at the start, and written again for each sentence.

#ifndef CFLITE_CONSTANTS_H
#define CFLITE_CONSTANTS_H

#include <stdbool.h>

/// Makes the constants what the linker meant; false when there is no memory for them.
bool tl_constants_restore(void);

/// Gives back their memory, until they are restored.
void tl_constants_release(void);

#endif
