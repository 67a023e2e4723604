#include <mixer/simple_none.c>
