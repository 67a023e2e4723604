#include "tl_fb.h"

#include <errno.h>
#include <linux/fb.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "private.h"

int64_t tl_fb_describe(int32_t fd, tl_fb_info *out) {
    struct fb_var_screeninfo screen = {0};
    struct fb_fix_screeninfo fixed = {0};
    int64_t result = tl_ioctl(fd, FBIOGET_VSCREENINFO, &screen);
    if (result < 0) return result;
    result = tl_ioctl(fd, FBIOGET_FSCREENINFO, &fixed);
    if (result < 0) return result;
    *out = (tl_fb_info){
        .width = screen.xres, .height = screen.yres, .virtual_height = screen.yres_virtual, .top = screen.yoffset,
        .bits_per_pixel = screen.bits_per_pixel, .red = {screen.red.offset, screen.red.length},
        .green = {screen.green.offset, screen.green.length}, .blue = {screen.blue.offset, screen.blue.length},
        .grayscale = screen.grayscale, .nonstandard = screen.nonstd, .width_mm = screen.width,
        .height_mm = screen.height, .line_bytes = fixed.line_length, .bytes = fixed.smem_len,
        .page_offset = (uint32_t)(fixed.smem_start & (unsigned long)(sysconf(_SC_PAGESIZE) - 1)), .type = fixed.type,
        .visual = fixed.visual, .pan_step = fixed.ypanstep};
    memcpy(out->id, fixed.id, sizeof fixed.id);
    return 0;
}

int64_t tl_fb_pan(int32_t fd, uint32_t top) {
    struct fb_var_screeninfo screen = {0};
    int64_t result = tl_ioctl(fd, FBIOGET_VSCREENINFO, &screen);
    if (result < 0) return result;
    screen.yoffset = top;
    screen.activate = FB_ACTIVATE_VBL;
    return tl_ioctl(fd, FBIOPAN_DISPLAY, &screen);
}

int64_t tl_fb_blank(int32_t fd, int32_t is_blank) {
    // The level is the argument itself, not behind a pointer.
    return tl_ioctl(fd, FBIOBLANK, (void *)(uintptr_t)(is_blank ? FB_BLANK_POWERDOWN : FB_BLANK_UNBLANK));
}
