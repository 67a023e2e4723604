// Shows a picture to the kernel's test camera, for scenarios in a virtual machine: gives it to vivid's video output again and again, until
// it is killed. While vivid's control loop_video is 1, its camera sees what the output was given.
//
//   show CAMERA OUTPUT < FRAME
//
// The output gets the format in which the camera was read the last time; FRAME has to be a frame of it. Another size would be scaled, and
// for that Linux 6.1 reads beyond the planes of YU12 and dies. Nor is it written with write(2): that gives vivid a frame without its
// length, which vivid refuses.
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

// One is on its way, and another waits.
enum { buffers = 3 };

static void fail(const char *what) {
    fprintf(stderr, "show: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int opened(const char *path) {
    int device = open(path, O_RDWR);
    if (device < 0) fail(path);
    return device;
}

static void order(int device, unsigned long request, void *words, const char *what) {
    if (ioctl(device, request, words) < 0) fail(what);
}

int main(int count, char **words) {
    if (count != 3) return 64;
    int camera = opened(words[1]), output = opened(words[2]), type = V4L2_BUF_TYPE_VIDEO_OUTPUT;
    struct v4l2_format seen = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE}, shown = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    order(camera, VIDIOC_G_FMT, &seen, words[1]);
    close(camera);
    shown.fmt.pix = seen.fmt.pix;
    order(output, VIDIOC_S_FMT, &shown, words[2]);
    const struct v4l2_pix_format *is = &shown.fmt.pix, *was = &seen.fmt.pix;
    unsigned size = is->sizeimage;
    char *frame = malloc(size + 1);
    if (frame == NULL) fail("memory");
    size_t given = fread(frame, 1, size + 1, stdin);
    if (is->pixelformat != was->pixelformat || is->width != was->width || is->height != was->height || given != size) {
        fprintf(stderr, "show: %s is read as %.4s %ux%u, %u bytes; the frame has %zu%s\n", words[1], (const char *)&was->pixelformat, was->width,
                was->height, size, given, given > size ? " and more" : "");
        return 1;
    }
    struct v4l2_requestbuffers request = {.count = buffers, .type = type, .memory = V4L2_MEMORY_MMAP};
    order(output, VIDIOC_REQBUFS, &request, "buffers");
    for (unsigned index = 0; index < request.count; index++) {
        struct v4l2_buffer buffer = {.index = index, .type = type, .memory = V4L2_MEMORY_MMAP};
        order(output, VIDIOC_QUERYBUF, &buffer, "a buffer");
        void *place = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, output, buffer.m.offset);
        if (place == MAP_FAILED || buffer.length < size) fail("a buffer's memory");
        memcpy(place, frame, size);
        buffer.bytesused = size;
        order(output, VIDIOC_QBUF, &buffer, "a frame");
    }
    order(output, VIDIOC_STREAMON, &type, "the stream");
    for (;;) {
        struct v4l2_buffer buffer = {.type = type, .memory = V4L2_MEMORY_MMAP};
        order(output, VIDIOC_DQBUF, &buffer, "a frame that was shown");
        buffer.bytesused = size;
        order(output, VIDIOC_QBUF, &buffer, "a frame");
    }
}
