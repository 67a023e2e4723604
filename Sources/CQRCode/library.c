// libqrencode but for its Micro codes (micro.c), without its threads and tools. Its sources are fetched by board/prepare; Debian has no static build.

#define MAJOR_VERSION 4
#define MINOR_VERSION 1
#define MICRO_VERSION 1
#define VERSION "4.1.1"
#define STATIC_IN_RELEASE static

#include <bitstream.c>
#include <mask.c>
#include <qrencode.c>
#include <qrinput.c>
#include <qrspec.c>
#include <rsecc.c>
#include <split.c>
