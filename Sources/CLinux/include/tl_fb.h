// Frame buffers of the kernel (kernel document fb/api), and the text console that shares the screen with them.

#ifndef TL_FB_H
#define TL_FB_H

#include <stdint.h>

typedef struct {
    uint32_t offset, length;
} tl_fb_channel;
typedef struct {
    uint32_t width, height, virtual_height, top;
    uint32_t bits_per_pixel;
    tl_fb_channel red, green, blue;
    /// 1: grey levels; 2 and more: a fourcc.
    uint32_t grayscale;
    uint32_t nonstandard;
    uint32_t width_mm, height_mm;
    uint32_t line_bytes, bytes;
    /// Where in its first page the memory begins.
    uint32_t page_offset;
    /// FB_TYPE_* and FB_VISUAL_*.
    uint32_t type, visual;
    /// Rows by which the picture can be moved; 0: it cannot.
    uint32_t pan_step;
    char id[17];
} tl_fb_info;
int64_t tl_fb_describe(int32_t fd, tl_fb_info *out);
/// Shows the picture from this row of the memory on.
int64_t tl_fb_pan(int32_t fd, uint32_t top);
/// Dark and saving power (1), or lit (0).
int64_t tl_fb_blank(int32_t fd, int32_t is_blank);

// MARK: The text console

/// The number of the console that is shown, asked of any console.
int64_t tl_console_shown(int32_t fd);
/// 1 when the descriptor is a console that text is shown on.
int64_t tl_console_is_text(int32_t fd);
/// Takes a console: no text and no cursor on it, its keyboard silent, and a signal to this process when another is asked
/// for (SIGUSR1) or this one comes back (SIGUSR2). When the program crashes it is given back in the signal's handler.
/// `before`: the number of the console that is shown, when that is another one than `number`; 0: it is this one. Then this
/// one is shown, and that one again at the end.
int64_t tl_console_take(int32_t fd, int32_t number, int32_t before);
/// Gives it back as it was.
void tl_console_give_back(int32_t fd);
/// Gives back what a program has left that was killed: 1, or 0 when text is shown on it, as it should be.
int64_t tl_console_restore(int32_t fd, int32_t number, int32_t before);
/// Another console may be shown, after SIGUSR1.
int64_t tl_console_let_go(int32_t fd);
/// This one is shown again, after SIGUSR2.
int64_t tl_console_taken(int32_t fd);
/// Asks for a console by its number.
int64_t tl_console_show(int32_t fd, int32_t number);
/// A descriptor that reports SIGUSR1 and SIGUSR2; tl_next_signal takes them.
int64_t tl_console_signals(void);
extern const int32_t TL_CONSOLE_RELEASE, TL_CONSOLE_ACQUIRE;

#endif
