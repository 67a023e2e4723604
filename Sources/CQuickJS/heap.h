// Memory of a script, out of one piece: it can be thrown away whole, and nothing of it is left.

#ifndef TL_HEAP_H
#define TL_HEAP_H

#include <stddef.h>
#include <stdint.h>

/// Sizes in powers of two, and sixteen steps between each and the next.
enum { TL_HEAP_ROWS = 26, TL_HEAP_STEPS = 16 };

typedef struct tl_block tl_block;

typedef struct {
    tl_block *first, *end;
    size_t used;
    /// Allocations until one is refused; 0: none is.
    int64_t until_refused;
    uint32_t rows;
    uint32_t steps[TL_HEAP_ROWS];
    tl_block *free[TL_HEAP_ROWS][TL_HEAP_STEPS];
} tl_heap;

/// Makes it empty. `bytes` are below 256 MiB.
void tl_heap_reset(tl_heap *heap, void *memory, size_t bytes);
/// Gives the pages of free memory back to the kernel.
void tl_heap_trim(tl_heap *heap);

void *tl_heap_alloc(tl_heap *heap, size_t size);
void *tl_heap_realloc(tl_heap *heap, void *memory, size_t size);
void tl_heap_free(tl_heap *heap, void *memory);
size_t tl_heap_size(const void *memory);

#endif
