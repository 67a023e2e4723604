#include "CQRCode.h"

#include <errno.h>
#include <string.h>

#include <qrencode.h>

int32_t tl_qr(const uint8_t *text, int32_t count, uint8_t *modules, int32_t capacity) {
    if (count <= 0) return -ERANGE;
    errno = 0;
    QRcode *code = QRcode_encodeData(count, text, 0, QR_ECLEVEL_M);
    if (code == NULL) return errno == ENOMEM ? -ENOMEM : -ERANGE;
    const int32_t side = code->width;
    if (side * side > capacity) {
        QRcode_free(code);
        return -ERANGE;
    }
    memcpy(modules, code->data, (size_t)side * (size_t)side);
    QRcode_free(code);
    return side;
}
