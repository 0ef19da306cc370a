#ifndef PROCTOR_CUV_SHIM_H
#define PROCTOR_CUV_SHIM_H

#include <uv.h>

#ifdef __linux__
// glibc declares these under _GNU_SOURCE only, which Swift's importer does not set.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
#endif

#endif
