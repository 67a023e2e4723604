#include <shmarea.c>
