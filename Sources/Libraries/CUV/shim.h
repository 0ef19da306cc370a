#ifndef PROCTOR_CUV_SHIM_H
#define PROCTOR_CUV_SHIM_H

#include <uv.h>

#ifdef __linux__
// Not in the Glibc module.
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>

// glibc declares these under _GNU_SOURCE only, which Swift's importer does not set.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);

// Swift imports no function with variable arguments.
static inline int proctor_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L); }
#endif

#endif
