#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/md4.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include "x509.h"

// Whoever calls it first decides that nothing is taken down at exit.
static inline void proctor_start_openssl(void) {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

// Options are casts, which Swift does not see.
static const uint64_t proctor_SSL_OP_NO_TICKET = SSL_OP_NO_TICKET;
static const uint64_t proctor_SSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const uint64_t proctor_SSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;
static const uint64_t proctor_SSL_OP_NO_ENCRYPT_THEN_MAC = SSL_OP_NO_ENCRYPT_THEN_MAC;
static const uint64_t proctor_SSL_OP_CIPHER_SERVER_PREFERENCE = SSL_OP_CIPHER_SERVER_PREFERENCE;
static const uint64_t proctor_SSL_OP_ENABLE_MIDDLEBOX_COMPAT = SSL_OP_ENABLE_MIDDLEBOX_COMPAT;
static const uint64_t proctor_SSL_OP_ALL_VERSIONS =
    SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_TLSv1_2 | SSL_OP_NO_TLSv1_3;

static const unsigned int proctor_EXT_OF_HANDSHAKE = SSL_EXT_CLIENT_HELLO | SSL_EXT_TLS1_3_ENCRYPTED_EXTENSIONS;

static const int proctor_EVP_PKEY_KEY_PARAMETERS = EVP_PKEY_KEY_PARAMETERS;
static const int proctor_EVP_PKEY_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;
static const int proctor_EVP_PKEY_KEYPAIR = EVP_PKEY_KEYPAIR;

// What is a macro in OpenSSL's headers, where Swift needs a function.

static inline int proctor_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}
static inline int proctor_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}
static inline void proctor_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}
static inline void proctor_SSL_CTX_set_read_ahead(SSL_CTX *context, int on) {
    SSL_CTX_set_read_ahead(context, on);
}
static inline void proctor_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}
static inline void proctor_SSL_CTX_sess_set_cache_size(SSL_CTX *context, long count) {
    SSL_CTX_sess_set_cache_size(context, count);
}
static inline int proctor_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, list);
}
static inline int proctor_SSL_CTX_set1_sigalgs_list(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_sigalgs_list(context, list);
}
static inline int proctor_SSL_CTX_set_dh_auto(SSL_CTX *context, int on) {
    return (int)SSL_CTX_set_dh_auto(context, on);
}
static inline int proctor_SSL_CTX_add0_chain_cert(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add0_chain_cert(context, certificate);
}
static inline int proctor_SSL_CTX_set1_verify_cert_store(SSL_CTX *context, X509_STORE *store) {
    return (int)SSL_CTX_set1_verify_cert_store(context, store);
}
static inline int proctor_SSL_add0_chain_cert(SSL *ssl, X509 *certificate) {
    return (int)SSL_add0_chain_cert(ssl, certificate);
}
static inline void proctor_SSL_clear_chain_certs(SSL *ssl) {
    SSL_clear_chain_certs(ssl);
}
static inline void proctor_SSL_CTX_set_tlsext_servername_callback(
    SSL_CTX *context, int (*callback)(SSL *, int *, void *)) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
}
static inline void proctor_SSL_CTX_set_tlsext_servername_arg(SSL_CTX *context, void *argument) {
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}
static inline void proctor_SSL_CTX_set_tlsext_status_cb(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    SSL_CTX_set_tlsext_status_cb(context, callback);
}
static inline void proctor_SSL_CTX_set_tlsext_status_arg(SSL_CTX *context, void *argument) {
    SSL_CTX_set_tlsext_status_arg(context, argument);
}
static inline void proctor_SSL_set_tlsext_status_type(SSL *ssl, int type) {
    SSL_set_tlsext_status_type(ssl, type);
}
/// Takes over `bytes`, which OPENSSL_malloc gave.
static inline void proctor_SSL_set_tlsext_status_ocsp_resp(SSL *ssl, unsigned char *bytes, long count) {
    SSL_set_tlsext_status_ocsp_resp(ssl, bytes, count);
}
static inline long proctor_SSL_get_tlsext_status_ocsp_resp(SSL *ssl, const unsigned char **bytes) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, bytes);
}
static inline int proctor_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline int proctor_SSL_set_retry_verify(SSL *ssl) {
    return SSL_set_retry_verify(ssl);
}
static inline void proctor_SSL_set_msg_callback_arg(SSL *ssl, void *argument) {
    SSL_set_msg_callback_arg(ssl, argument);
}
static inline int proctor_SSL_get_negotiated_group(SSL *ssl) {
    return (int)SSL_get_negotiated_group(ssl);
}
/// The key of this end's key share; the caller frees it.
static inline int proctor_SSL_get_tmp_key(SSL *ssl, EVP_PKEY **key) {
    return (int)SSL_get_tmp_key(ssl, key);
}
/// The key of the peer's key share; the caller frees it.
static inline int proctor_SSL_get_peer_tmp_key(SSL *ssl, EVP_PKEY **key) {
    return (int)SSL_get_peer_tmp_key(ssl, key);
}
static inline const char *proctor_SSL_group_to_name(SSL *ssl, int group) {
    return SSL_group_to_name(ssl, group);
}
static inline int proctor_SSL_ex_data_index(void) {
    return SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}
static inline int proctor_SSL_CTX_ex_data_index(void) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}
static inline void *proctor_OPENSSL_malloc(size_t count) {
    return OPENSSL_malloc(count);
}
static inline int proctor_ERR_GET_REASON(unsigned long code) {
    return ERR_GET_REASON(code);
}
static inline int proctor_ERR_GET_LIB(unsigned long code) {
    return ERR_GET_LIB(code);
}

// Stacks.

static inline int proctor_sk_X509_num(const STACK_OF(X509) *stack) {
    return stack ? sk_X509_num(stack) : 0;
}
static inline X509 *proctor_sk_X509_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}
static inline int proctor_sk_X509_NAME_num(const STACK_OF(X509_NAME) *stack) {
    return stack ? sk_X509_NAME_num(stack) : 0;
}
static inline X509_NAME *proctor_sk_X509_NAME_value(const STACK_OF(X509_NAME) *stack, int index) {
    return sk_X509_NAME_value(stack, index);
}
static inline STACK_OF(X509_NAME) *proctor_sk_X509_NAME_new(void) {
    return sk_X509_NAME_new_null();
}
/// Takes over `name`.
static inline int proctor_sk_X509_NAME_push(STACK_OF(X509_NAME) *stack, X509_NAME *name) {
    return sk_X509_NAME_push(stack, name);
}

// MD4 is deprecated, as is NTLM, which is made of it. 1 where it was computed, 0 where OpenSSL was built without it.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline int proctor_MD4(const unsigned char *bytes, size_t count, unsigned char *digest) {
#if defined(OPENSSL_NO_MD4) || defined(OPENSSL_NO_DEPRECATED_3_0)
    (void)bytes, (void)count, (void)digest;
    return 0;
#else
    return MD4(bytes, count, digest) != NULL;
#endif
}
#pragma clang diagnostic pop
