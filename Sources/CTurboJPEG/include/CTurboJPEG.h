#include <turbojpeg.h>

/// `tjCompressFromYUVPlanes`, with Huffman tables made for the picture when `optimizes` is not 0. TurboJPEG 2.1 has no flag for them, but
/// reads the environment variable TJ_OPTIMIZE at each picture. One picture at a time; others wait.
int tl_compress_planes(int optimizes, tjhandle handle, const unsigned char **planes, int width, const int *strides,
                       int height, int sampling, unsigned char **jpeg, unsigned long *size, int quality, int flags);

/// 1 when the first warning about the last picture is that its coded data ended before its last block (JWRN_HIT_MARKER). TurboJPEG tells
/// warnings as text alone.
int tl_lacks_data(tjhandle handle);
