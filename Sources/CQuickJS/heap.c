#include "heap.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "tl_calls.h"

// Two-level segregated fit (Masmano, Ripoll, Crespo, Real: "TLSF: a new dynamic memory allocator for real-time systems",
// 2004): every operation takes constant time. Neighbours are joined as soon as both are free.
struct tl_block {
    tl_block *before;
    /// Of what follows the header; the lowest bit: it is free.
    size_t size;
    // Only in a free block.
    tl_block *next, *previous;
};

enum {
    UNIT = 2 * sizeof(void *),
    HEADER = offsetof(tl_block, next),
    SMALL = UNIT * TL_HEAP_STEPS,
    STEP_BITS = 4,
    /// Smaller pieces of free memory are not worth a call of the kernel.
    TRIMMED = 16 * 1024
};
_Static_assert(HEADER == UNIT, "blocks are aligned as their headers are");

static size_t size_of(const tl_block *block) { return block->size & ~(size_t)1; }
static bool is_free(const tl_block *block) { return block->size & 1; }
static uint8_t *bytes_of(tl_block *block) { return (uint8_t *)block + HEADER; }
static tl_block *block_of(const void *memory) { return (tl_block *)((uint8_t *)memory - HEADER); }
static tl_block *after(tl_block *block) { return (tl_block *)(bytes_of(block) + size_of(block)); }
static int highest(size_t value) { return (int)(8 * sizeof(long)) - 1 - __builtin_clzl(value); }

static void place(size_t size, int *row, int *step) {
    if (size < SMALL) {
        *row = 0;
        *step = (int)(size / UNIT);
        return;
    }
    int top = highest(size);
    *row = top - highest(SMALL) + 1;
    *step = (int)(size >> (top - STEP_BITS)) - TL_HEAP_STEPS;
}

static void insert(tl_heap *heap, tl_block *block) {
    int row, step;
    place(size_of(block), &row, &step);
    block->size |= 1;
    block->previous = NULL;
    block->next = heap->free[row][step];
    if (block->next) block->next->previous = block;
    heap->free[row][step] = block;
    heap->rows |= 1u << row;
    heap->steps[row] |= 1u << step;
}

static void take(tl_heap *heap, tl_block *block) {
    int row, step;
    place(size_of(block), &row, &step);
    if (block->next) block->next->previous = block->previous;
    if (block->previous) {
        block->previous->next = block->next;
    } else {
        heap->free[row][step] = block->next;
        if (!block->next) heap->steps[row] &= ~(1u << step);
        if (!heap->steps[row]) heap->rows &= ~(1u << row);
    }
    block->size &= ~(size_t)1;
}

/// A free block that is large enough.
static tl_block *find(tl_heap *heap, size_t size) {
    int row, step;
    // The next list up: each of its blocks is large enough.
    if (size >= SMALL) size += ((size_t)1 << (highest(size) - STEP_BITS)) - 1;
    place(size, &row, &step);
    if (row >= TL_HEAP_ROWS) return NULL;
    uint32_t steps = heap->steps[row] & ~0u << step;
    if (!steps) {
        uint32_t rows = row + 1 < 32 ? heap->rows & ~0u << (row + 1) : 0;
        if (!rows) return NULL;
        row = __builtin_ctz(rows);
        steps = heap->steps[row];
    }
    return heap->free[row][__builtin_ctz(steps)];
}

/// Makes a block smaller, and what is behind it free.
static void cut(tl_heap *heap, tl_block *block, size_t size) {
    if (size_of(block) < size + HEADER + UNIT) return;
    size_t rest = size_of(block) - size - HEADER;
    tl_block *next = after(block);
    block->size = size;
    tl_block *piece = after(block);
    piece->before = block;
    piece->size = rest;
    if (next < heap->end && is_free(next)) {
        take(heap, next);
        piece->size += HEADER + size_of(next);
        next = after(piece);
    }
    next->before = piece;
    insert(heap, piece);
}

static size_t rounded(size_t size) {
    size = (size + UNIT - 1) & ~(size_t)(UNIT - 1);
    return size < UNIT ? UNIT : size;
}

void tl_heap_reset(tl_heap *heap, void *memory, size_t bytes) {
    memset(heap, 0, sizeof *heap);
    heap->first = memory;
    heap->end = (tl_block *)((uint8_t *)memory + bytes - HEADER);
    heap->first->before = NULL;
    heap->first->size = (size_t)((uint8_t *)heap->end - bytes_of(heap->first)) & ~(size_t)(UNIT - 1);
    heap->end = after(heap->first);
    heap->end->before = heap->first;
    heap->end->size = 0;
    insert(heap, heap->first);
}

void *tl_heap_alloc(tl_heap *heap, size_t size) {
    if (heap->until_refused && !--heap->until_refused) return NULL;
    // No larger than any heap: sums below cannot overflow.
    if (size > (size_t)1 << 28) return NULL;
    size = rounded(size);
    tl_block *block = find(heap, size);
    if (!block) return NULL;
    take(heap, block);
    cut(heap, block, size);
    heap->used += size_of(block) + HEADER;
    return bytes_of(block);
}

void tl_heap_free(tl_heap *heap, void *memory) {
    if (!memory) return;
    tl_block *block = block_of(memory), *next = after(block);
    heap->used -= size_of(block) + HEADER;
    if (next < heap->end && is_free(next)) {
        take(heap, next);
        block->size += HEADER + size_of(next);
    }
    if (block->before && is_free(block->before)) {
        tl_block *before = block->before;
        take(heap, before);
        before->size += HEADER + size_of(block);
        block = before;
    }
    after(block)->before = block;
    insert(heap, block);
}

void *tl_heap_realloc(tl_heap *heap, void *memory, size_t size) {
    if (!memory) return tl_heap_alloc(heap, size);
    if (!size) {
        tl_heap_free(heap, memory);
        return NULL;
    }
    if (heap->until_refused && !--heap->until_refused) return NULL;
    if (size > (size_t)1 << 28) return NULL;
    tl_block *block = block_of(memory), *next = after(block);
    size_t old = size_of(block), wanted = rounded(size);
    if (wanted > old && next < heap->end && is_free(next) && old + HEADER + size_of(next) >= wanted) {
        take(heap, next);
        block->size += HEADER + size_of(next);
        after(block)->before = block;
    }
    if (wanted <= size_of(block)) {
        cut(heap, block, wanted);
        heap->used += size_of(block) - old;
        return memory;
    }
    void *moved = tl_heap_alloc(heap, size);
    if (!moved) return NULL;
    memcpy(moved, memory, old);
    tl_heap_free(heap, memory);
    return moved;
}

size_t tl_heap_size(const void *memory) { return memory ? size_of(block_of(memory)) : 0; }

void tl_heap_trim(tl_heap *heap) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (tl_block *block = heap->first; block < heap->end; block = after(block)) {
        if (!is_free(block) || size_of(block) < TRIMMED) continue;
        // The links at its head stay.
        uintptr_t start = ((uintptr_t)block + sizeof *block + page - 1) & ~(page - 1);
        uintptr_t end = (uintptr_t)after(block) & ~(page - 1);
        if (end > start) tl_release_pages((void *)start, end - start);
    }
}
