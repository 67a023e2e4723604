#include <userfile.c>
