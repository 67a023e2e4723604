// OpenSSL's functions, and small ones of our own for what are macros in its headers.

#ifndef COPENSSL_H
#define COPENSSL_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdint.h>

/// A client context: TLS 1.2 at least, 1.3 preferred, no renegotiation, no configuration file, buffers given back when
/// idle, a chain of at most `certificate_bytes`. Certificates are not judged here: the session compares the leaf
/// with its pin. Null on failure.
SSL_CTX *tl_tls_context(uint32_t certificate_bytes);

/// A connection over a non-blocking socket, whose bytes pass the system call door. `server_name` is null
/// for an address literal. The socket is not owned. Null on failure.
SSL *tl_tls_connection(SSL_CTX *context, int32_t fd, const char *server_name);

/// Makes a context judge certificates by the authorities that stand in a file, all in PEM, or in a folder, each under the hash
/// of its name (openssl-rehash(1)); of a folder only those that are needed are read. 1 on success.
int32_t tl_tls_authorities(SSL_CTX *context, const char *path, int32_t is_folder);

/// Makes a context answer servers that ask who the client is: a chain and its key, both in PEM. 0 on success; 1: the
/// certificate cannot be read, 2: the key cannot, or has a passphrase, 3: they do not belong together.
int32_t tl_tls_client_certificate(SSL_CTX *context, const char *certificate, const char *key);

/// Makes the handshake fail unless the peer's certificate is vouched for and names `host`, a literal address or a name. 1 on
/// success.
int32_t tl_tls_verify(SSL *connection, const char *host, int32_t is_address);

/// Has the authorities of the context judge the peer's certificate for `host` in the handshake, which goes on whatever they say:
/// `tl_tls_verdict` tells. `seconds` is the time since the epoch; negative where the board does not know it, and then dates do
/// not count. 1 on success.
int32_t tl_tls_judge(SSL *connection, const char *host, int32_t is_address, int64_t seconds);

/// What they said.
enum {
    TL_VERDICT_VOUCHED = 0,
    TL_VERDICT_EXPIRED = 1,
    TL_VERDICT_NOT_YET_VALID = 2,
    TL_VERDICT_OTHER_NAME = 3,
    TL_VERDICT_UNKNOWN_ISSUER = 4,
    TL_VERDICT_OTHER = 5,
};

/// The verdict after a handshake with `tl_tls_judge`. `until`: the end of the leaf, in seconds since the epoch; 0 where it has none
/// that can be read.
int32_t tl_tls_verdict(SSL *connection, int64_t *until);

/// What was wrong with the peer's certificate; text that lives for ever, or null.
const char *tl_tls_objection(SSL *connection);

/// The errno of the last send or receive that failed, or 0.
int32_t tl_tls_errno(SSL *connection);

/// SHA-256 over the DER of the peer's leaf certificate (gateway reference 6.1), and over that of its
/// SubjectPublicKeyInfo. 1 on success.
int32_t tl_tls_peer_sha256(SSL *connection, uint8_t leaf[32], uint8_t key[32]);

/// Why OpenSSL failed first, in plain words where people meet it; text that lives for ever, or null. Clears its queue of errors.
const char *tl_tls_reason(void);

/// SHA-256 and SHA-1. 1 on success.
int32_t tl_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);
int32_t tl_sha1(const uint8_t *bytes, size_t count, uint8_t digest[20]);

/// A digest of bytes that come in pieces: SHA-256, or SHA-1. Null without memory; `tl_digest_end` and `tl_digest_drop` free
/// it. 1 on success; of SHA-1 the first 20 bytes count.
void *tl_digest_begin(int32_t is_sha1);
int32_t tl_digest_add(void *digest, const uint8_t *bytes, size_t count);
int32_t tl_digest_end(void *digest, uint8_t out[32]);
void tl_digest_drop(void *digest);

/// scrypt (RFC 7914) with r = 8 and p = 1; `cost` is N, a power of two. Takes 1024 bytes of memory for each. 1 on success.
int32_t tl_scrypt(const uint8_t *password, size_t count, const uint8_t salt[16], uint64_t cost, uint8_t key[32]);

/// Ed25519 (RFC 8032) from a 32-byte seed. 1 on success.
int32_t tl_ed25519_public(const uint8_t seed[32], uint8_t key[32]);
int32_t tl_ed25519_verify(const uint8_t key[32], const uint8_t *bytes, size_t count, const uint8_t signature[64]);
int32_t tl_ed25519_sign(const uint8_t seed[32], const uint8_t *bytes, size_t count, uint8_t signature[64]);

#endif
