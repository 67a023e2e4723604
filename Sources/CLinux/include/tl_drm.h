// Displays of the kernel's mode setting (DRM/KMS, kernel document gpu/drm-uapi): connectors, modes, buffers that the
// processor draws into, and their way to the panel. Results are those of tl_calls.h.

#ifndef TL_DRM_H
#define TL_DRM_H

#include <stddef.h>
#include <stdint.h>

#define TL_DRM_OBJECTS 16
#define TL_DRM_MODES 128
#define TL_DRM_CLIPS 8

/// What a card has, by the kernel's numbers; more than these are left out.
typedef struct {
    uint32_t crtcs[TL_DRM_OBJECTS], crtc_count;
    uint32_t connectors[TL_DRM_OBJECTS], connector_count;
} tl_drm_resources_t;
int64_t tl_drm_resources(int32_t fd, tl_drm_resources_t *out);

/// One mode of a connector: struct drm_mode_modeinfo, and what Talon looks at.
typedef struct {
    uint32_t width, height;
    /// Pictures in a thousand seconds.
    uint32_t rate;
    int32_t is_preferred, is_interlaced;
    /// As the kernel gave it.
    uint8_t raw[68];
} tl_drm_mode;

#define TL_DRM_CONNECTED 1
#define TL_DRM_DISCONNECTED 2
typedef struct {
    /// 1 connected, 2 not, 3 not known.
    uint32_t connection;
    /// DRM_MODE_CONNECTOR_*, and which one of its kind.
    uint32_t type, number;
    uint32_t width_mm, height_mm;
    uint32_t encoder;
    uint32_t encoders[TL_DRM_OBJECTS], encoder_count;
    uint32_t mode_count;
} tl_drm_connector_t;
/// `modes` has room for TL_DRM_MODES. `probe`: the display is asked anew what it can do, which takes time.
int64_t tl_drm_connector(int32_t fd, uint32_t id, int32_t probe, tl_drm_connector_t *out, tl_drm_mode *modes);
/// The CRTC that an encoder has now (0: none), and a bit for each that it may have.
int64_t tl_drm_encoder(int32_t fd, uint32_t id, uint32_t *crtc, uint32_t *possible);
/// A property of a connector by its name: its number and value; -ENOENT when there is none.
int64_t tl_drm_property(int32_t fd, uint32_t connector, const char *name, uint32_t *id, uint64_t *value);
int64_t tl_drm_set_property(int32_t fd, uint32_t connector, uint32_t property, uint64_t value);

/// What a CRTC shows, to be put back: struct drm_mode_crtc.
typedef struct {
    uint8_t raw[104];
} tl_drm_crtc;
int64_t tl_drm_get_crtc(int32_t fd, uint32_t crtc, tl_drm_crtc *out);
/// Puts back what tl_drm_get_crtc told, on one connector.
int64_t tl_drm_restore_crtc(int32_t fd, tl_drm_crtc *saved, uint32_t connector);
/// Shows a frame buffer in a mode of a connector. Waits for the panel.
int64_t tl_drm_set_crtc(int32_t fd, uint32_t crtc, uint32_t connector, uint32_t buffer, const tl_drm_mode *mode);

/// 1 when the card has buffers that the processor draws into; `prefers_shadow`: they are slow to read.
int64_t tl_drm_has_dumb_buffers(int32_t fd);
int64_t tl_drm_set_master(int32_t fd);
int64_t tl_drm_drop_master(int32_t fd);

#define TL_DRM_XRGB8888 0x34325258u
#define TL_DRM_RGB565 0x36314752u
typedef struct {
    uint32_t handle, buffer, stride;
    uint64_t bytes;
    /// For tl_mmap.
    int64_t offset;
} tl_drm_buffer;
/// Takes memory for a picture and makes it a frame buffer. What fails leaves nothing behind.
int64_t tl_drm_make_buffer(int32_t fd, uint32_t width, uint32_t height, uint32_t fourcc, tl_drm_buffer *out);
void tl_drm_free_buffer(int32_t fd, const tl_drm_buffer *buffer);

/// Shows a frame buffer from the next picture on, and tells so by an event on the descriptor.
int64_t tl_drm_page_flip(int32_t fd, uint32_t crtc, uint32_t buffer);
/// Takes what events wait: how many of them said that a page was flipped. -EAGAIN: none.
int64_t tl_drm_flips(int32_t fd);
/// One rectangle of a frame buffer: left, top, and the first column and row after it.
typedef struct {
    uint16_t left, top, right, bottom;
} tl_drm_clip;
/// Tells the driver what changed in a frame buffer that is shown.
int64_t tl_drm_dirty(int32_t fd, uint32_t buffer, const tl_drm_clip *clips, uint32_t count);

#endif
