// Threads for the worker pool: start, one lock, one condition. Nothing else in Talon may lock.

#ifndef TL_THREADS_H
#define TL_THREADS_H

#include <stddef.h>
#include <stdint.h>

typedef struct tl_monitor tl_monitor;

/// A mutex with one condition; null when memory is short.
tl_monitor *tl_monitor_create(void);
void tl_monitor_destroy(tl_monitor *monitor);
void tl_monitor_enter(tl_monitor *monitor);
void tl_monitor_leave(tl_monitor *monitor);
/// Waits until notified; the caller holds the monitor.
void tl_monitor_wait(tl_monitor *monitor);
void tl_monitor_notify_all(tl_monitor *monitor);

typedef struct tl_thread tl_thread;
/// Starts a thread with a stack of `stack_bytes`; null on failure.
tl_thread *tl_thread_start(void (*body)(void *), void *context, size_t stack_bytes);
void tl_thread_join(tl_thread *thread);

/// A number that one thread sets and another one looks at.
static inline void tl_store(int32_t *place, int32_t value) { __atomic_store_n(place, value, __ATOMIC_RELEASE); }
static inline int32_t tl_load(const int32_t *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }

#endif
