// The members of Security that the code uses.
#pragma once
#include <CoreFoundation.h>
#include <TargetConditionals.h>
#include <stdbool.h>

#pragma clang arc_cf_code_audited begin
#pragma clang assume_nonnull begin

typedef int32_t OSStatus;
typedef struct CF_BRIDGED_TYPE(id) __SecCertificate *SecCertificateRef;
typedef struct CF_BRIDGED_TYPE(id) __SecIdentity *SecIdentityRef;
typedef struct CF_BRIDGED_TYPE(id) __SecTrust *SecTrustRef;
enum { errSecSuccess = 0 };

extern const CFStringRef kSecImportExportPassphrase;
#if TARGET_OS_OSX
extern const CFStringRef kSecImportToMemoryOnly __attribute__((availability(macosx, introduced = 15.0)));
#endif
extern const CFStringRef kSecImportItemIdentity;
extern const CFStringRef kSecImportItemCertChain;

extern SecCertificateRef _Nullable SecCertificateCreateWithData(CFAllocatorRef _Nullable allocator, CFDataRef data)
    __attribute__((cf_returns_retained));
extern OSStatus SecPKCS12Import(
    CFDataRef bytes, CFDictionaryRef options,
    CFArrayRef _Nullable *_Nonnull __attribute__((cf_returns_retained)) items);
extern CFTypeID SecIdentityGetTypeID(void);
extern OSStatus SecTrustSetAnchorCertificates(SecTrustRef trust, CFArrayRef _Nullable anchors);
extern OSStatus SecTrustSetAnchorCertificatesOnly(SecTrustRef trust, bool only);
extern bool SecTrustEvaluateWithError(
    SecTrustRef trust, CFErrorRef _Nullable *_Nullable __attribute__((cf_returns_retained)) error);

#pragma clang assume_nonnull end
#pragma clang arc_cf_code_audited end
