#pragma once
// What keys, certificates and PKCS#12 files need beside the headers of shim.h.
#include <openssl/bn.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int proctor_X509_NAME_print(BIO *output, const X509_NAME *name) {
    return X509_NAME_print_ex(output, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}
static inline STACK_OF(X509) *proctor_sk_X509_new(void) {
    return sk_X509_new_null();
}
/// Takes over `certificate`.
static inline int proctor_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
/// Frees the stack and what it holds.
static inline void proctor_sk_X509_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}
