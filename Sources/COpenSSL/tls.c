#include "COpenSSL.h"

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "tl_calls.h"

// A BIO of our own, so that TLS reads and writes pass the same door as every other system call.
typedef struct {
    int32_t fd;
    int32_t last_errno;
    int has_ended;
} link_state;

static int finish(BIO *bio, int64_t result) {
    link_state *state = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (result >= 0) return (int)result;
    if (result == -EAGAIN) return -1;
    state->last_errno = (int32_t)-result;
    return -1;
}

static int link_read(BIO *bio, char *bytes, int count) {
    link_state *state = BIO_get_data(bio);
    int64_t result = tl_recv(state->fd, bytes, (size_t)count);
    int done = finish(bio, result);
    if (result == -EAGAIN) BIO_set_retry_read(bio);
    state->has_ended = result == 0;
    return done;
}

static int link_write(BIO *bio, const char *bytes, int count) {
    link_state *state = BIO_get_data(bio);
    int64_t result = tl_send(state->fd, bytes, (size_t)count);
    int done = finish(bio, result);
    if (result == -EAGAIN) BIO_set_retry_write(bio);
    return done;
}

static long link_control(BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    // Asked after a read of nothing: OpenSSL then knows a cut from a failure without a reason.
    if (command == BIO_CTRL_EOF) return ((link_state *)BIO_get_data(bio))->has_ended;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

static int link_destroy(BIO *bio) {
    OPENSSL_free(BIO_get_data(bio));
    return 1;
}

static BIO_METHOD *link_method(void) {
    static BIO_METHOD *method;
    if (method) return method;
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "talon link");
    if (!method) return NULL;
    BIO_meth_set_read(method, link_read);
    BIO_meth_set_write(method, link_write);
    BIO_meth_set_ctrl(method, link_control);
    BIO_meth_set_destroy(method, link_destroy);
    return method;
}

SSL_CTX *tl_tls_context(uint32_t certificate_bytes) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // Whoever was pinned at the first handshake stays who it was, and nobody costs this board more than one.
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_max_cert_list(context, certificate_bytes);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return context;
}

SSL *tl_tls_connection(SSL_CTX *context, int32_t fd, const char *server_name) {
    SSL *connection = SSL_new(context);
    BIO_METHOD *method = link_method();
    BIO *bio = method ? BIO_new(method) : NULL;
    link_state *state = OPENSSL_zalloc(sizeof *state);
    if (!connection || !bio || !state) {
        SSL_free(connection);
        BIO_free(bio);
        OPENSSL_free(state);
        return NULL;
    }
    state->fd = fd;
    BIO_set_data(bio, state);
    BIO_set_init(bio, 1);
    SSL_set_bio(connection, bio, bio);
    SSL_set_connect_state(connection);
    if (server_name) SSL_set_tlsext_host_name(connection, server_name);
    return connection;
}

int32_t tl_tls_authorities(SSL_CTX *context, const char *path, int32_t is_folder) {
    int done = is_folder ? SSL_CTX_load_verify_dir(context, path) : SSL_CTX_load_verify_file(context, path);
    ERR_clear_error();
    return done == 1;
}

// A key with a passphrase is refused: nobody is there to type it.
static int no_passphrase(char *text, int size, int writes, void *pointer) {
    (void)text, (void)size, (void)writes, (void)pointer;
    return -1;
}

int32_t tl_tls_client_certificate(SSL_CTX *context, const char *certificate, const char *key) {
    int32_t objection = 0;
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
        objection = 1;
    else if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
        objection = ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH ? 3 : 2;
    ERR_clear_error();
    return objection;
}

static int32_t name_peer(SSL *connection, const char *host, int32_t is_address) {
    SSL_set_hostflags(connection, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (is_address) {
        // A link-local address without its interface: certificates know none.
        char address[64];
        size_t length = strcspn(host, "%");
        if (length >= sizeof address) return 0;
        memcpy(address, host, length);
        address[length] = 0;
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), address) == 1;
    }
    return SSL_set1_host(connection, host) == 1;
}

int32_t tl_tls_verify(SSL *connection, const char *host, int32_t is_address) {
    SSL_set_verify(connection, SSL_VERIFY_PEER, NULL);
    return name_peer(connection, host, is_address);
}

int32_t tl_tls_judge(SSL *connection, const char *host, int32_t is_address, int64_t seconds) {
    // What is never checked, as for want of memory, is not vouched for.
    SSL_set_verify_result(connection, X509_V_ERR_UNSPECIFIED);
    X509_VERIFY_PARAM *param = SSL_get0_param(connection);
    time_t now = (time_t)seconds;
    // Where time_t has 32 bits a later date is none that it can tell.
    if (seconds < 0 || now != seconds)
        X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_NO_CHECK_TIME);
    else
        X509_VERIFY_PARAM_set_time(param, now);
    return name_peer(connection, host, is_address);
}

int32_t tl_tls_verdict(SSL *connection, int64_t *until) {
    *until = 0;
    X509 *leaf = SSL_get0_peer_certificate(connection);
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int days = 0, seconds = 0;
    if (leaf && epoch && ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(leaf)) == 1)
        *until = (int64_t)days * 86400 + seconds;
    ASN1_TIME_free(epoch);
    switch (SSL_get_verify_result(connection)) {
    case X509_V_OK:
        return TL_VERDICT_VOUCHED;
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return TL_VERDICT_EXPIRED;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return TL_VERDICT_NOT_YET_VALID;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return TL_VERDICT_OTHER_NAME;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        return TL_VERDICT_UNKNOWN_ISSUER;
    default:
        return TL_VERDICT_OTHER;
    }
}

const char *tl_tls_objection(SSL *connection) {
    long result = SSL_get_verify_result(connection);
    return result == X509_V_OK ? NULL : X509_verify_cert_error_string(result);
}

int32_t tl_tls_errno(SSL *connection) {
    link_state *state = BIO_get_data(SSL_get_rbio(connection));
    return state->last_errno;
}

int32_t tl_tls_peer_sha256(SSL *connection, uint8_t leaf[32], uint8_t key[32]) {
    X509 *certificate = SSL_get1_peer_certificate(connection);
    if (!certificate) return 0;
    int done = X509_digest(certificate, EVP_sha256(), leaf, NULL);
    unsigned char *der = NULL;
    int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der);
    done = done && length > 0 && EVP_Digest(der, (size_t)length, key, NULL, EVP_sha256(), NULL);
    OPENSSL_free(der);
    X509_free(certificate);
    return done;
}

// What a person can do something about, where OpenSSL's own words do not say it.
static const char *plain_words(int reason) {
    switch (reason) {
    case SSL_R_WRONG_VERSION_NUMBER:
        return "the answer is not TLS; is this a port for ws:// or http://?";
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
        return "the server does not speak TLS 1.2 or 1.3";
    case SSL_R_EXCESSIVE_MESSAGE_SIZE:
        return "the certificate chain is longer than a board takes";
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
        return "the server wants a client certificate ([gateway] client_certificate; of updates [update] certificate)";
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
        return "the server does not know who issued this board's client certificate";
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        return "the server does not take this board's client certificate";
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
        return "this board's client certificate has expired";
    case SSL_R_UNEXPECTED_EOF_WHILE_READING:
        return "cut off";
    default:
        return NULL;
    }
}

const char *tl_tls_reason(void) {
    unsigned long error = ERR_peek_error();
    ERR_clear_error();
    if (!error) return NULL;
    const char *reason = ERR_GET_LIB(error) == ERR_LIB_SSL ? plain_words(ERR_GET_REASON(error)) : NULL;
    return reason ? reason : ERR_reason_error_string(error);
}
