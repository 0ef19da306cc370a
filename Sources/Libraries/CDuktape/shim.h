#ifndef PROCTOR_CDUKTAPE_SHIM_H
#define PROCTOR_CDUKTAPE_SHIM_H

#include <duktape.h>

// Macros of duktape.h. An error of a script is a longjmp, which must not pass a frame of Swift: these calls catch it.

// Runs a text as a program and leaves its value, or its error, on the stack; 0 where it ended without an error.
static inline int proctor_duk_run(duk_context *context, const char *text, size_t byte_count) {
    return duk_peval_lstring(context, text, byte_count);
}

static inline duk_context *proctor_duk_create(
    duk_alloc_function allocate, duk_realloc_function reallocate, duk_free_function release, void *owner) {
    return duk_create_heap(allocate, reallocate, release, owner, NULL);
}

// The text of what is on top of the stack, whatever that is.
static inline const char *proctor_duk_text(duk_context *context, size_t *byte_count) {
    return duk_safe_to_lstring(context, -1, byte_count);
}

static inline int proctor_duk_is_missing(duk_context *context) {
    return duk_is_null_or_undefined(context, -1);
}

#endif
