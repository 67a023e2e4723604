// A camera's pictures, written to a device of v4l2loopback, one after the other and over and over, until it is killed. For scenarios in a
// virtual machine.
//
//   feed [-a] [-k] [-n FRAMES] DEVICE WIDTH HEIGHT FOURCC FPS FILE...
//
//   -n FRAMES   ends after so many; the device has no pictures then
//   -k          with -n: does not end, but keeps the device and gives nothing more, as a camera does that hangs
//   -a          any bytes: each file is one frame as it is, cut off, empty, or no picture at all
//
// Without -a a file has to be what the format says: of MJPG and JPEG one whole picture, of others frames that follow each other. A frame may
// have as many bytes as a buffer of the driver, which follow from size and format (MJPG: 4 for each pixel); the driver would cut off what is
// beyond, so that is refused. The last line before the first frame says what the driver made of the format.
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Frames of all files together, and their bytes; pixels on a side; frames a second.
enum { frames_max = 1024, bytes_max = 64 << 20, side_max = 8192, rate_max = 120, count_max = 1000000 };

struct frame {
    const unsigned char *bytes;
    size_t length;
};

static struct frame frames[frames_max];
static size_t frame_count, byte_count;

__attribute__((noreturn, format(printf, 2, 3))) static void fail(int code, const char *format, ...) {
    va_list words;
    va_start(words, format);
    fputs("feed: ", stderr);
    vfprintf(stderr, format, words);
    fputc('\n', stderr);
    exit(code);
}

static long number(const char *what, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most) fail(64, "%s is from %ld to %ld, not \"%s\"", what, least, most, text);
    return value;
}

static bool is_compressed(unsigned format) { return format == V4L2_PIX_FMT_MJPEG || format == V4L2_PIX_FMT_JPEG; }

static void add(const unsigned char *bytes, size_t length, const char *path) {
    if (frame_count == frames_max) fail(65, "%s: more than %d frames", path, frames_max);
    frames[frame_count++] = (struct frame){bytes, length};
}

// All of a file; its length is that of when it was opened.
static unsigned char *contents(const char *path, size_t *length) {
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) < 0) fail(66, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode)) fail(66, "%s: no file", path);
    if (about.st_size > (off_t)(bytes_max - byte_count)) fail(65, "%s: all files together have more than %d bytes", path, bytes_max);
    size_t size = (size_t)about.st_size, done = 0;
    unsigned char *bytes = malloc(size ? size : 1);
    if (bytes == NULL) fail(71, "%s: no memory for %zu bytes", path, size);
    while (done < size) {
        ssize_t count = read(file, bytes + done, size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(66, "%s: %s", path, strerror(errno));
        if (count == 0) fail(66, "%s: became shorter while it was read", path);
        done += (size_t)count;
    }
    close(file);
    byte_count += size;
    *length = size;
    return bytes;
}

static void take(const char *path, const struct v4l2_pix_format *format, bool is_any) {
    size_t length, most = format->sizeimage;
    const unsigned char *bytes = contents(path, &length);
    const char *name = (const char *)&format->pixelformat;
    if (is_any || is_compressed(format->pixelformat)) {
        if (length > most) {
            fail(65, "%s: %zu bytes, and a frame of %.4s %ux%u has at most %zu", path, length, name, format->width, format->height, most);
        }
        bool is_whole = length >= 4 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[length - 2] == 0xff && bytes[length - 1] == 0xd9;
        if (!is_any && !is_whole) fail(65, "%s: no whole JPEG (-a takes any bytes)", path);
        add(bytes, length, path);
        return;
    }
    if (length == 0 || length % most) {
        fail(65, "%s: %zu bytes are not whole frames of %.4s %ux%u, which have %zu (-a takes any bytes)", path, length, name, format->width,
             format->height, most);
    }
    for (size_t place = 0; place < length; place += most) add(bytes + place, most, path);
}

// Asks what it is. The driver has the device for writing only for who asks while nobody else writes, and for reading only afterwards.
static void check(int device, const char *path) {
    struct v4l2_capability about = {0};
    if (ioctl(device, VIDIOC_QUERYCAP, &about) < 0) fail(66, "%s: no video device: %s", path, strerror(errno));
    const char *driver = (const char *)about.driver;
    if (strcmp(driver, "v4l2 loopback")) fail(66, "%s: of the driver %.16s, not of v4l2loopback", path, driver);
    if (!(about.device_caps & V4L2_CAP_VIDEO_OUTPUT)) fail(69, "%s: another program writes to it", path);
}

// Gives the driver the format. It rounds the length of a buffer up to whole pages, so that of a frame is what it told when it was asked first.
static void set_format(int device, const char *path, struct v4l2_format *format) {
    struct v4l2_pix_format wanted = format->fmt.pix;
    if (ioctl(device, VIDIOC_TRY_FMT, format) < 0) fail(74, "%s: asked for a format: %s", path, strerror(errno));
    unsigned size = format->fmt.pix.sizeimage;
    if (ioctl(device, VIDIOC_S_FMT, format) < 0) fail(74, "%s: given a format: %s", path, strerror(errno));
    const struct v4l2_pix_format *is = &format->fmt.pix;
    if (is->pixelformat != wanted.pixelformat || is->width != wanted.width || is->height != wanted.height) {
        fail(69, "%s: has %.4s %ux%u and takes no %.4s %ux%u", path, (const char *)&is->pixelformat, is->width, is->height,
             (const char *)&wanted.pixelformat, wanted.width, wanted.height);
    }
    format->fmt.pix.sizeimage = size;
    if (size == 0) fail(69, "%s: tells no size of a frame", path);
}

// The rate is what the camera is said to have; a driver without one is left as it is.
static void set_rate(int device, const char *path, long rate) {
    struct v4l2_streamparm parameter = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    parameter.parm.output.timeperframe = (struct v4l2_fract){.numerator = 1, .denominator = (unsigned)rate};
    if (ioctl(device, VIDIOC_S_PARM, &parameter) < 0 && errno != ENOTTY) fail(74, "%s: given a rate: %s", path, strerror(errno));
}

// Not needed to write, but without it the driver forgets, when this program ends, that nobody writes any more.
static void begin(int device, const char *path) {
    int type = V4L2_BUF_TYPE_VIDEO_OUTPUT;
    if (ioctl(device, VIDIOC_STREAMON, &type) < 0) fail(74, "%s: begun: %s", path, strerror(errno));
}

static void give(int device, const char *path, const struct frame *frame) {
    ssize_t count;
    do count = write(device, frame->bytes, frame->length);
    while (count < 0 && errno == EINTR);
    if (count < 0) fail(74, "%s: given %zu bytes: %s", path, frame->length, strerror(errno));
    if ((size_t)count != frame->length) fail(74, "%s: took %zd of %zu bytes", path, count, frame->length);
}

static void wait_until(const struct timespec *moment) {
    int code;
    do code = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, moment, NULL);
    while (code == EINTR);
    if (code) fail(71, "the clock: %s", strerror(code));
}

int main(int count, char **words) {
    bool is_any = false, keeps = false;
    long most = 0;
    int option;
    while ((option = getopt(count, words, "+akn:")) != -1) {
        switch (option) {
        case 'a': is_any = true; break;
        case 'k': keeps = true; break;
        case 'n': most = number("-n", optarg, 1, count_max); break;
        default: return 64;
        }
    }
    words += optind;
    count -= optind;
    if (count < 6 || (keeps && !most)) fail(64, "expected: feed [-a] [-k] [-n FRAMES] DEVICE WIDTH HEIGHT FOURCC FPS FILE...");
    const char *path = words[0], *name = words[3];
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    format.fmt.pix.width = (unsigned)number("WIDTH", words[1], 1, side_max);
    format.fmt.pix.height = (unsigned)number("HEIGHT", words[2], 1, side_max);
    if (strlen(name) != 4) fail(64, "FOURCC has four characters, not \"%s\"", name);
    format.fmt.pix.pixelformat = v4l2_fourcc(name[0], name[1], name[2], name[3]);
    format.fmt.pix.field = V4L2_FIELD_NONE;
    long rate = number("FPS", words[4], 1, rate_max);
    int device = open(path, O_RDWR | O_CLOEXEC);
    if (device < 0) fail(66, "%s: %s", path, strerror(errno));
    check(device, path);
    set_format(device, path, &format);
    for (int index = 5; index < count; index++) take(words[index], &format.fmt.pix, is_any);
    set_rate(device, path, rate);
    begin(device, path);
    fprintf(stderr, "feed: %s: %s %ux%u, %u bytes at most, %zu frames\n", path, name, format.fmt.pix.width, format.fmt.pix.height,
            format.fmt.pix.sizeimage, frame_count);
    struct timespec moment;
    if (clock_gettime(CLOCK_MONOTONIC, &moment) < 0) fail(71, "the clock: %s", strerror(errno));
    for (long given = 0; !most || given < most; given++) {
        give(device, path, &frames[(size_t)given % frame_count]);
        moment.tv_nsec += 1000000000 / rate;
        if (moment.tv_nsec >= 1000000000) moment.tv_sec++, moment.tv_nsec -= 1000000000;
        wait_until(&moment);
    }
    while (keeps) pause();
    return 0;
}
