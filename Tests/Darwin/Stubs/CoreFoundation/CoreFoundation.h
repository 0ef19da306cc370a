// The members of CoreFoundation that the code uses.
#pragma once
#include <stdint.h>

#define CF_BRIDGED_TYPE(T) __attribute__((objc_bridge(T)))
#pragma clang arc_cf_code_audited begin

typedef const CF_BRIDGED_TYPE(id) void *CFTypeRef;
typedef unsigned long CFTypeID;
typedef long CFIndex;
typedef const struct CF_BRIDGED_TYPE(NSString) __CFString *CFStringRef;
typedef const struct CF_BRIDGED_TYPE(NSData) __CFData *CFDataRef;
typedef const struct CF_BRIDGED_TYPE(NSArray) __CFArray *CFArrayRef;
typedef const struct CF_BRIDGED_TYPE(NSDictionary) __CFDictionary *CFDictionaryRef;
typedef const struct CF_BRIDGED_TYPE(__CFAllocator) __CFAllocator *CFAllocatorRef;
typedef struct CF_BRIDGED_TYPE(NSError) __CFError *CFErrorRef;
typedef struct CF_BRIDGED_TYPE(id) __CFRunLoop *CFRunLoopRef;

extern CFTypeID CFGetTypeID(CFTypeRef _Null_unspecified object);
extern CFRunLoopRef _Null_unspecified CFRunLoopGetCurrent(void);
extern void CFRunLoopWakeUp(CFRunLoopRef _Null_unspecified runLoop);

#pragma clang arc_cf_code_audited end
