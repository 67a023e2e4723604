#include "COpenH264.h"

#include <stdlib.h>
#include <string.h>
#include <wels/codec_api.h>

struct tl_h264 {
    ISVCEncoder *encoder;
    SSourcePicture picture;
};

static void fill(const tl_h264_settings *settings, SEncParamExt *all) {
    all->iUsageType = CAMERA_VIDEO_REAL_TIME;
    all->iPicWidth = settings->width;
    all->iPicHeight = settings->height;
    all->iTargetBitrate = settings->bits_per_second;
    all->iMaxBitrate = settings->most_bits_per_second;
    all->iRCMode = RC_BITRATE_MODE;
    all->fMaxFrameRate = (float)settings->pictures_per_kilosecond / 1000;
    all->iComplexityMode = LOW_COMPLEXITY;
    all->uiIntraPeriod = 0;
    all->iNumRefFrame = 1;
    all->eSpsPpsIdStrategy = CONSTANT_ID;
    all->iEntropyCodingModeFlag = 0;
    // Which pictures are left out is decided outside, where the clip's time and limit are known.
    all->bEnableFrameSkip = 0;
    all->iMinQp = 16;
    all->iMaxQp = 51;
    all->iMultipleThreadIdc = 1;
    all->bEnableDenoise = 0;
    all->bEnableBackgroundDetection = 0;
    all->bEnableAdaptiveQuant = 0;
    all->bEnableSceneChangeDetect = 0;

    SSpatialLayerConfig *layer = &all->sSpatialLayers[0];
    layer->iVideoWidth = settings->width;
    layer->iVideoHeight = settings->height;
    layer->fFrameRate = all->fMaxFrameRate;
    layer->iSpatialBitrate = settings->bits_per_second;
    layer->iMaxSpatialBitrate = settings->most_bits_per_second;
    layer->uiProfileIdc = PRO_BASELINE;
    layer->sSliceArgument.uiSliceMode = SM_SINGLE_SLICE;
    // ITU-T H.264 annex E.2.1: primaries and curve of BT.709 as sRGB has them, the matrix of BT.601 as JPEG has it.
    layer->bVideoSignalTypePresent = 1;
    layer->uiVideoFormat = VF_UNDEF;
    layer->bFullRange = settings->is_full_range != 0;
    layer->bColorDescriptionPresent = 1;
    layer->uiColorPrimaries = CP_BT709;
    layer->uiTransferCharacteristics = TRC_BT709;
    layer->uiColorMatrix = CM_SMPTE170M;
}

static int start(ISVCEncoder *encoder, const tl_h264_settings *settings) {
    // The library would write to standard error; what failed is told by results.
    int quiet = WELS_LOG_QUIET;
    (*encoder)->SetOption(encoder, ENCODER_OPTION_TRACE_LEVEL, &quiet);
    SEncParamExt all;
    if ((*encoder)->GetDefaultParams(encoder, &all) != cmResultSuccess) return -1;
    fill(settings, &all);
    if ((*encoder)->InitializeExt(encoder, &all) != cmResultSuccess) return -1;
    int format = videoFormatI420;
    return (*encoder)->SetOption(encoder, ENCODER_OPTION_DATAFORMAT, &format) == cmResultSuccess ? 0 : -1;
}

tl_h264 *tl_h264_open(const tl_h264_settings *settings) {
    tl_h264 *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->picture.iPicWidth = settings->width;
    self->picture.iPicHeight = settings->height;
    self->picture.iColorFormat = videoFormatI420;
    if (WelsCreateSVCEncoder(&self->encoder) != 0 || !self->encoder) {
        free(self);
        return NULL;
    }
    if (start(self->encoder, settings) == 0) return self;
    tl_h264_close(self);
    return NULL;
}

// The layers of a picture (parameter sets, slice) stand one after the other in the encoder's buffer.
static int64_t unit(const SFrameBSInfo *info, const uint8_t **bytes) {
    int64_t count = 0;
    for (int index = 0; index < info->iLayerNum; index++) {
        const SLayerBSInfo *layer = &info->sLayerInfo[index];
        if (index == 0) *bytes = layer->pBsBuf;
        if (layer->pBsBuf != *bytes + count) return -1;
        for (int nal = 0; nal < layer->iNalCount; nal++) count += layer->pNalLengthInByte[nal];
    }
    return count;
}

int64_t tl_h264_encode(
    tl_h264 *self, uint8_t *const planes[3], const int32_t strides[3], int64_t milliseconds, int32_t is_key,
    const uint8_t **bytes) {
    SFrameBSInfo info;
    memset(&info, 0, sizeof info);
    for (int plane = 0; plane < 3; plane++) {
        self->picture.pData[plane] = planes[plane];
        self->picture.iStride[plane] = strides[plane];
    }
    self->picture.uiTimeStamp = milliseconds;
    if (is_key && (*self->encoder)->ForceIntraFrame(self->encoder, 1) != cmResultSuccess) return -1;
    if ((*self->encoder)->EncodeFrame(self->encoder, &self->picture, &info) != cmResultSuccess) return -1;
    if (info.eFrameType == videoFrameTypeInvalid) return -1;
    return info.eFrameType == videoFrameTypeSkip ? 0 : unit(&info, bytes);
}

int32_t tl_h264_rate(tl_h264 *self, int32_t bits_per_second) {
    SBitrateInfo rate = { .iLayer = SPATIAL_LAYER_ALL, .iBitrate = bits_per_second };
    return (*self->encoder)->SetOption(self->encoder, ENCODER_OPTION_BITRATE, &rate) == cmResultSuccess ? 0 : -1;
}

void tl_h264_close(tl_h264 *self) {
    (*self->encoder)->Uninitialize(self->encoder);
    WelsDestroySVCEncoder(self->encoder);
    free(self);
}
