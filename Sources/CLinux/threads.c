#include "tl_threads.h"

#include <pthread.h>
#include <stdlib.h>

struct tl_monitor {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

tl_monitor *tl_monitor_create(void) {
    tl_monitor *monitor = malloc(sizeof *monitor);
    if (!monitor) return NULL;
    pthread_mutex_init(&monitor->mutex, NULL);
    pthread_cond_init(&monitor->changed, NULL);
    return monitor;
}

void tl_monitor_destroy(tl_monitor *monitor) {
    pthread_cond_destroy(&monitor->changed);
    pthread_mutex_destroy(&monitor->mutex);
    free(monitor);
}

void tl_monitor_enter(tl_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }
void tl_monitor_leave(tl_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }
void tl_monitor_wait(tl_monitor *monitor) { pthread_cond_wait(&monitor->changed, &monitor->mutex); }
void tl_monitor_notify_all(tl_monitor *monitor) { pthread_cond_broadcast(&monitor->changed); }

struct tl_thread {
    pthread_t thread;
    void (*body)(void *);
    void *context;
};

static void *enter(void *opaque) {
    tl_thread *thread = opaque;
    thread->body(thread->context);
    return NULL;
}

tl_thread *tl_thread_start(void (*body)(void *), void *context, size_t stack_bytes) {
    tl_thread *thread = malloc(sizeof *thread);
    if (!thread) return NULL;
    *thread = (tl_thread){.body = body, .context = context};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int failed = pthread_attr_setstacksize(&attributes, stack_bytes) ||
                 pthread_create(&thread->thread, &attributes, enter, thread);
    pthread_attr_destroy(&attributes);
    if (!failed) return thread;
    free(thread);
    return NULL;
}

void tl_thread_join(tl_thread *thread) {
    pthread_join(thread->thread, NULL);
    free(thread);
}
