#include <async.c>
