#include "CTurboJPEG.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
// The environment refers to it from the first picture on. Its last character is changed in place, for setenv may move the
// environment while another thread reads it.
static char variable[] = "TJ_OPTIMIZE=0";

static void add_variable(void) { putenv(variable); }

int tl_compress_planes(int optimizes, tjhandle handle, const unsigned char **planes, int width, const int *strides,
                       int height, int sampling, unsigned char **jpeg, unsigned long *size, int quality, int flags) {
  pthread_once(&once, add_variable);
  pthread_mutex_lock(&lock);
  char *digit = &variable[sizeof variable - 2];
  *digit = optimizes ? '1' : '0';
  int result =
      tjCompressFromYUVPlanes(handle, planes, width, strides, height, sampling, jpeg, size, quality, flags);
  *digit = '0';
  pthread_mutex_unlock(&lock);
  return result;
}

int tl_lacks_data(tjhandle handle) {
  return strcmp(tjGetErrorStr2(handle), "Corrupt JPEG data: premature end of data segment") == 0;
}
