#include "COpenSSL.h"

static int32_t digest(const EVP_MD *algorithm, const uint8_t *bytes, size_t count, uint8_t *out) {
    return EVP_Digest(bytes, count, out, NULL, algorithm, NULL);
}

int32_t tl_sha256(const uint8_t *bytes, size_t count, uint8_t out[32]) {
    return digest(EVP_sha256(), bytes, count, out);
}

int32_t tl_sha1(const uint8_t *bytes, size_t count, uint8_t out[20]) {
    return digest(EVP_sha1(), bytes, count, out);
}

void *tl_digest_begin(int32_t is_sha1) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context && EVP_DigestInit_ex(context, is_sha1 ? EVP_sha1() : EVP_sha256(), NULL) == 1) return context;
    EVP_MD_CTX_free(context);
    return NULL;
}

int32_t tl_digest_add(void *digest, const uint8_t *bytes, size_t count) { return EVP_DigestUpdate(digest, bytes, count); }

int32_t tl_digest_end(void *digest, uint8_t out[32]) {
    uint8_t result[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    int done = EVP_DigestFinal_ex(digest, result, &length);
    for (unsigned index = 0; index < 32; index++) out[index] = done == 1 && index < length ? result[index] : 0;
    EVP_MD_CTX_free(digest);
    return done;
}

void tl_digest_drop(void *digest) { EVP_MD_CTX_free(digest); }

int32_t tl_ed25519_verify(const uint8_t key[32], const uint8_t *bytes, size_t count, const uint8_t signature[64]) {
    EVP_PKEY *half = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int done = half && context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, half) == 1 &&
               EVP_DigestVerify(context, signature, 64, bytes, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(half);
    return done;
}

int32_t tl_scrypt(const uint8_t *password, size_t count, const uint8_t salt[16], uint64_t cost, uint8_t key[32]) {
    const uint64_t block = 8, lanes = 1;
    // 128 bytes for each of cost x block, and what EVP_PBE_scrypt(3) takes beside.
    uint64_t memory = 128 * block * (cost + lanes + 2) + 65536;
    return EVP_PBE_scrypt((const char *)password, count, salt, 16, cost, block, lanes, memory, key, 32);
}

int32_t tl_ed25519_public(const uint8_t seed[32], uint8_t key[32]) {
    EVP_PKEY *pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
    if (!pair) return 0;
    size_t length = 32;
    int done = EVP_PKEY_get_raw_public_key(pair, key, &length);
    EVP_PKEY_free(pair);
    return done == 1 && length == 32;
}

int32_t tl_ed25519_sign(const uint8_t seed[32], const uint8_t *bytes, size_t count, uint8_t signature[64]) {
    EVP_PKEY *pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t length = 64;
    // One-shot with a null digest: Ed25519 hashes for itself.
    int done = pair && context && EVP_DigestSignInit(context, NULL, NULL, NULL, pair) == 1 &&
               EVP_DigestSign(context, signature, &length, bytes, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(pair);
    return done && length == 64;
}
