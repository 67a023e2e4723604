#include "tl_drm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "private.h"

// The kernel's structs (include/uapi/drm/drm.h, drm_mode.h), which are the same on 32- and 64-bit boards: pointers are
// 64-bit numbers in them. Their sizes are part of the requests' numbers, and asserted.

struct mode {
    uint32_t clock;
    uint16_t hdisplay, hsync_start, hsync_end, htotal, hskew;
    uint16_t vdisplay, vsync_start, vsync_end, vtotal, vscan;
    uint32_t vrefresh, flags, type;
    char name[32];
};
struct resources {
    uint64_t fbs, crtcs, connectors, encoders;
    uint32_t fb_count, crtc_count, connector_count, encoder_count;
    uint32_t min_width, max_width, min_height, max_height;
};
struct connector {
    uint64_t encoders, modes, properties, property_values;
    uint32_t mode_count, property_count, encoder_count;
    uint32_t encoder, id, type, number, connection, width_mm, height_mm, subpixel, pad;
};
struct encoder {
    uint32_t id, type, crtc, possible_crtcs, possible_clones;
};
struct crtc {
    uint64_t connectors;
    uint32_t connector_count, id, fb, x, y, gamma_size, mode_valid;
    struct mode mode;
};
struct object_properties {
    uint64_t properties, values;
    uint32_t count, object, type;
};
struct property {
    uint64_t values, enums;
    uint32_t id, flags;
    char name[32];
    uint32_t value_count, enum_count;
};
struct set_property {
    uint64_t value;
    uint32_t property, connector;
};
struct capability {
    uint64_t what, value;
};
struct create_dumb {
    uint32_t height, width, bpp, flags, handle, pitch;
    uint64_t size;
};
struct map_dumb {
    uint32_t handle, pad;
    uint64_t offset;
};
struct frame_buffer {
    uint32_t id, width, height, fourcc, flags, handles[4], pitches[4], offsets[4];
    uint64_t modifiers[4];
};
struct page_flip {
    uint32_t crtc, fb, flags, reserved;
    uint64_t user_data;
};
struct dirty {
    uint32_t fb, flags, color, clip_count;
    uint64_t clips;
};
struct event {
    uint32_t type, length;
};

#define REQUEST(number, type) _IOWR('d', number, type)
#define GET_CAP REQUEST(0x0c, struct capability)
#define SET_MASTER _IO('d', 0x1e)
#define DROP_MASTER _IO('d', 0x1f)
#define GET_RESOURCES REQUEST(0xa0, struct resources)
#define GET_CRTC REQUEST(0xa1, struct crtc)
#define SET_CRTC REQUEST(0xa2, struct crtc)
#define GET_ENCODER REQUEST(0xa6, struct encoder)
#define GET_CONNECTOR REQUEST(0xa7, struct connector)
#define GET_PROPERTY REQUEST(0xaa, struct property)
#define SET_PROPERTY REQUEST(0xab, struct set_property)
#define REMOVE_FB REQUEST(0xaf, uint32_t)
#define PAGE_FLIP REQUEST(0xb0, struct page_flip)
#define DIRTY REQUEST(0xb1, struct dirty)
#define CREATE_DUMB REQUEST(0xb2, struct create_dumb)
#define MAP_DUMB REQUEST(0xb3, struct map_dumb)
#define DESTROY_DUMB REQUEST(0xb4, uint32_t)
#define ADD_FB2 REQUEST(0xb8, struct frame_buffer)
#define GET_PROPERTIES REQUEST(0xb9, struct object_properties)

_Static_assert(sizeof(struct mode) == 68 && sizeof(((tl_drm_mode *)0)->raw) == 68, "struct drm_mode_modeinfo");
_Static_assert(sizeof(struct crtc) == sizeof(tl_drm_crtc), "struct drm_mode_crtc");
_Static_assert(GET_CAP == 0xc010640c && GET_RESOURCES == 0xc04064a0 && GET_CONNECTOR == 0xc05064a7, "requests");
_Static_assert(GET_ENCODER == 0xc01464a6 && GET_CRTC == 0xc06864a1 && SET_CRTC == 0xc06864a2, "requests");
_Static_assert(CREATE_DUMB == 0xc02064b2 && MAP_DUMB == 0xc01064b3 && DESTROY_DUMB == 0xc00464b4, "requests");
_Static_assert(ADD_FB2 == 0xc06864b8 && REMOVE_FB == 0xc00464af && PAGE_FLIP == 0xc01864b0, "requests");
_Static_assert(DIRTY == 0xc01864b1 && GET_PROPERTIES == 0xc02064b9 && GET_PROPERTY == 0xc04064aa, "requests");

#define PREFERRED 8u
#define INTERLACED 16u
#define CONNECTOR_OBJECT 0xc0c0c0c0u
#define CAP_DUMB_BUFFER 1
#define FLIP_EVENT 1
#define FLIP_COMPLETE 2
#define ANNOTATE_COPY 0
#define ROUNDS 3
#define PROPERTIES 64

static uint64_t address(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

int64_t tl_drm_resources(int32_t fd, tl_drm_resources_t *out) {
    // The kernel fills a list only if all of it has room, so it is asked for the numbers first.
    struct resources found = {0};
    int64_t result = tl_ioctl(fd, GET_RESOURCES, &found);
    if (result < 0) return result;
    uint32_t crtcs[64], connectors[64];
    uint32_t crtc_count = found.crtc_count, connector_count = found.connector_count;
    if (crtc_count > 64 || connector_count > 64) return -E2BIG;
    found = (struct resources){.crtcs = address(crtcs), .connectors = address(connectors), .crtc_count = crtc_count,
                               .connector_count = connector_count};
    result = tl_ioctl(fd, GET_RESOURCES, &found);
    if (result < 0) return result;
    // One that came in between makes the list longer than its room, and then none of it was filled.
    if (found.crtc_count > crtc_count || found.connector_count > connector_count) return -EAGAIN;
    out->crtc_count = least(found.crtc_count, TL_DRM_OBJECTS);
    out->connector_count = least(found.connector_count, TL_DRM_OBJECTS);
    memcpy(out->crtcs, crtcs, out->crtc_count * sizeof *crtcs);
    memcpy(out->connectors, connectors, out->connector_count * sizeof *connectors);
    return 0;
}

// Pictures in a thousand seconds, of the pixel clock in kHz.
static uint32_t rate(const struct mode *mode) {
    uint64_t pixels = (uint64_t)mode->htotal * mode->vtotal;
    if (pixels == 0) return mode->vrefresh * 1000;
    uint64_t value = ((uint64_t)mode->clock * 1000000 + pixels / 2) / pixels;
    return (uint32_t)(mode->flags & INTERLACED ? 2 * value : value);
}

static void read_modes(const struct mode *modes, uint32_t count, tl_drm_mode *out) {
    for (uint32_t index = 0; index < count; index++) {
        out[index] = (tl_drm_mode){
            .width = modes[index].hdisplay, .height = modes[index].vdisplay, .rate = rate(&modes[index]),
            .is_preferred = (modes[index].type & PREFERRED) != 0,
            .is_interlaced = (modes[index].flags & INTERLACED) != 0};
        memcpy(out[index].raw, &modes[index], sizeof *modes);
    }
}

static int64_t read_connector(int32_t fd, uint32_t id, int32_t probe, struct mode *modes, struct connector *found,
                              uint32_t *encoders) {
    // With no room for modes the display is probed; with room for one they are told as they are known.
    *found = (struct connector){.id = id, .modes = address(modes), .mode_count = probe ? 0 : 1};
    int64_t result = tl_ioctl(fd, GET_CONNECTOR, found);
    for (int round = 0; result >= 0 && round < ROUNDS; round++) {
        uint32_t mode_count = found->mode_count, encoder_count = found->encoder_count;
        if (mode_count > TL_DRM_MODES || encoder_count > TL_DRM_OBJECTS) return -E2BIG;
        *found = (struct connector){.id = id, .modes = address(modes), .mode_count = mode_count ? mode_count : 1,
                                    .encoders = address(encoders), .encoder_count = encoder_count};
        result = tl_ioctl(fd, GET_CONNECTOR, found);
        if (found->mode_count <= (mode_count ? mode_count : 1) && found->encoder_count <= encoder_count) return result;
    }
    return result < 0 ? result : -EAGAIN;
}

int64_t tl_drm_connector(int32_t fd, uint32_t id, int32_t probe, tl_drm_connector_t *out, tl_drm_mode *modes) {
    struct mode *raw = calloc(TL_DRM_MODES, sizeof *raw);
    if (!raw) return -ENOMEM;
    struct connector found;
    int64_t result = read_connector(fd, id, probe, raw, &found, out->encoders);
    if (result >= 0) {
        out->connection = found.connection;
        out->type = found.type;
        out->number = found.number;
        out->width_mm = found.width_mm;
        out->height_mm = found.height_mm;
        out->encoder = found.encoder;
        out->encoder_count = found.encoder_count;
        out->mode_count = found.mode_count;
        read_modes(raw, found.mode_count, modes);
    }
    free(raw);
    return result;
}

int64_t tl_drm_encoder(int32_t fd, uint32_t id, uint32_t *crtc, uint32_t *possible) {
    struct encoder found = {.id = id};
    int64_t result = tl_ioctl(fd, GET_ENCODER, &found);
    *crtc = found.crtc;
    *possible = found.possible_crtcs;
    return result;
}

int64_t tl_drm_property(int32_t fd, uint32_t connector, const char *name, uint32_t *id, uint64_t *value) {
    uint32_t ids[PROPERTIES];
    uint64_t values[PROPERTIES];
    struct object_properties all = {.properties = address(ids), .values = address(values), .count = PROPERTIES,
                                    .object = connector, .type = CONNECTOR_OBJECT};
    int64_t result = tl_ioctl(fd, GET_PROPERTIES, &all);
    if (result < 0) return result;
    if (all.count > PROPERTIES) return -E2BIG;
    for (uint32_t index = 0; index < all.count; index++) {
        struct property found = {.id = ids[index]};
        result = tl_ioctl(fd, GET_PROPERTY, &found);
        if (result < 0) return result;
        if (strncmp(found.name, name, sizeof found.name) != 0) continue;
        *id = ids[index];
        *value = values[index];
        return 0;
    }
    return -ENOENT;
}

int64_t tl_drm_set_property(int32_t fd, uint32_t connector, uint32_t property, uint64_t value) {
    struct set_property wanted = {.value = value, .property = property, .connector = connector};
    return tl_ioctl(fd, SET_PROPERTY, &wanted);
}

int64_t tl_drm_get_crtc(int32_t fd, uint32_t crtc, tl_drm_crtc *out) {
    struct crtc found = {.id = crtc};
    int64_t result = tl_ioctl(fd, GET_CRTC, &found);
    if (result >= 0) memcpy(out->raw, &found, sizeof found);
    return result;
}

int64_t tl_drm_restore_crtc(int32_t fd, tl_drm_crtc *saved, uint32_t connector) {
    struct crtc wanted;
    memcpy(&wanted, saved->raw, sizeof wanted);
    // Without a picture before there is none afterwards.
    int is_on = wanted.mode_valid && wanted.fb;
    wanted.connectors = is_on ? address(&connector) : 0;
    wanted.connector_count = is_on ? 1 : 0;
    if (!is_on) wanted.mode_valid = wanted.fb = 0;
    return tl_ioctl(fd, SET_CRTC, &wanted);
}

int64_t tl_drm_set_crtc(int32_t fd, uint32_t crtc, uint32_t connector, uint32_t buffer, const tl_drm_mode *mode) {
    struct crtc wanted = {.connectors = address(&connector), .connector_count = 1, .id = crtc, .fb = buffer,
                          .mode_valid = 1};
    memcpy(&wanted.mode, mode->raw, sizeof wanted.mode);
    return tl_ioctl(fd, SET_CRTC, &wanted);
}

int64_t tl_drm_has_dumb_buffers(int32_t fd) {
    struct capability asked = {.what = CAP_DUMB_BUFFER};
    int64_t result = tl_ioctl(fd, GET_CAP, &asked);
    return result < 0 ? result : asked.value != 0;
}

int64_t tl_drm_set_master(int32_t fd) { return tl_ioctl(fd, SET_MASTER, NULL); }
int64_t tl_drm_drop_master(int32_t fd) { return tl_ioctl(fd, DROP_MASTER, NULL); }

void tl_drm_free_buffer(int32_t fd, const tl_drm_buffer *buffer) {
    uint32_t id = buffer->buffer, handle = buffer->handle;
    if (id) tl_ioctl(fd, REMOVE_FB, &id);
    if (handle) tl_ioctl(fd, DESTROY_DUMB, &handle);
}

int64_t tl_drm_make_buffer(int32_t fd, uint32_t width, uint32_t height, uint32_t fourcc, tl_drm_buffer *out) {
    *out = (tl_drm_buffer){0};
    struct create_dumb made = {.height = height, .width = width, .bpp = fourcc == TL_DRM_RGB565 ? 16 : 32};
    int64_t result = tl_ioctl(fd, CREATE_DUMB, &made);
    if (result < 0) return result;
    out->handle = made.handle;
    out->stride = made.pitch;
    out->bytes = made.size;
    struct frame_buffer frame = {.width = width, .height = height, .fourcc = fourcc, .handles = {made.handle},
                                 .pitches = {made.pitch}};
    result = tl_ioctl(fd, ADD_FB2, &frame);
    if (result >= 0) {
        out->buffer = frame.id;
        struct map_dumb place = {.handle = made.handle};
        result = tl_ioctl(fd, MAP_DUMB, &place);
        out->offset = (int64_t)place.offset;
    }
    if (result < 0) tl_drm_free_buffer(fd, out);
    return result;
}

int64_t tl_drm_page_flip(int32_t fd, uint32_t crtc, uint32_t buffer) {
    struct page_flip wanted = {.crtc = crtc, .fb = buffer, .flags = FLIP_EVENT};
    return tl_ioctl(fd, PAGE_FLIP, &wanted);
}

int64_t tl_drm_flips(int32_t fd) {
    // The kernel gives whole events alone; one has 32 bytes.
    _Alignas(8) uint8_t bytes[256];
    int64_t count = tl_read(fd, bytes, sizeof bytes), flips = 0;
    if (count < 0) return count;
    for (int64_t offset = 0; offset + (int64_t)sizeof(struct event) <= count;) {
        struct event event;
        memcpy(&event, bytes + offset, sizeof event);
        if (event.length < sizeof event) break;
        flips += event.type == FLIP_COMPLETE;
        offset += event.length;
    }
    return flips;
}

int64_t tl_drm_dirty(int32_t fd, uint32_t buffer, const tl_drm_clip *clips, uint32_t count) {
    if (count > TL_DRM_CLIPS) return -E2BIG;
    struct dirty told = {.fb = buffer, .flags = ANNOTATE_COPY, .clip_count = count, .clips = address(clips)};
    return tl_ioctl(fd, DIRTY, &told);
}
