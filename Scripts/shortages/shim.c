// Loaded before libc into a program under test: lets the nth call of one libc function fail, as a full machine does.
// A file that Scripts/shortages.py shares with the program says which call, from which time on, how often and with what errno,
// and gets the number of calls. Failures are one call apart from a real one: nothing else is changed. The same file says how far
// the clock that people read (CLOCK_REALTIME) is off; the kernel's own clock is left alone, and with it every wait.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct control {
    _Atomic int call;   // of the list below; 0 for none
    _Atomic int first;  // the first call that fails, from 1 on
    _Atomic int times;  // how many fail
    _Atomic int code;   // errno
    _Atomic int count;  // calls since `call` was set
    _Atomic long step;  // seconds, for which the clock is fast
};

enum { OPEN = 1, OPENDIR, READDIR, READ, PREAD, WRITE, STAT, REALPATH, SOCKET, ACCEPT, PIPE = 12, MKDIR, RENAME, THREAD, SPAWN, FSYNC, DESCRIPTOR };

static struct control *control;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SHORTAGE_CONTROL");
    const char *program = getenv("SHORTAGE_PROGRAM");
    if (path == NULL || program == NULL || strcmp(program, program_invocation_short_name) != 0) return;
    int (*system_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    int descriptor = system_open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) _exit(99);
    void *memory = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) _exit(99);
    close(descriptor);
    control = memory;
}

static int fails(int call) {
    if (control == NULL || atomic_load(&control->call) != call) return 0;
    int number = atomic_fetch_add(&control->count, 1) + 1, first = atomic_load(&control->first);
    if (number < first || number - first >= atomic_load(&control->times)) return 0;
    errno = atomic_load(&control->code);
    return errno;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static mode_t mode_of(int flags, va_list words) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(words, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list words;
    va_start(words, flags);
    mode_t mode = mode_of(flags, words);
    va_end(words);
    // Threads of libdispatch look at themselves below /proc, and end the process where they can't.
    return strncmp(path, "/proc/", 6) != 0 && fails(OPEN) ? -1 : NEXT(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list words;
    va_start(words, flags);
    mode_t mode = mode_of(flags, words);
    va_end(words);
    return fails(OPEN) ? -1 : NEXT(openat)(folder, path, flags, mode);
}

DIR *opendir(const char *path) { return fails(OPENDIR) ? NULL : NEXT(opendir)(path); }
struct dirent *readdir(DIR *folder) { return fails(READDIR) ? NULL : NEXT(readdir)(folder); }

// Pipes and the descriptors by which threads wake one another have no such failures.
static int is_file(int descriptor) {
    struct stat status;
    int (*system_fstat)(int, struct stat *) = NEXT(fstat);
    return system_fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode));
}

ssize_t read(int file, void *to, size_t count) { return is_file(file) && fails(READ) ? -1 : NEXT(read)(file, to, count); }
ssize_t pread(int file, void *to, size_t count, off_t at) { return fails(PREAD) ? -1 : NEXT(pread)(file, to, count, at); }

// Standard error stays whole, so that what the program says of the failure can be read.
ssize_t write(int file, const void *from, size_t count) {
    return file != STDERR_FILENO && (file == STDOUT_FILENO || is_file(file)) && fails(WRITE) ? -1 : NEXT(write)(file, from, count);
}

int stat(const char *path, struct stat *status) { return fails(STAT) ? -1 : NEXT(stat)(path, status); }
int fstat(int file, struct stat *status) { return fails(STAT) ? -1 : NEXT(fstat)(file, status); }
int lstat(const char *path, struct stat *status) { return fails(STAT) ? -1 : NEXT(lstat)(path, status); }
char *realpath(const char *path, char *to) { return fails(REALPATH) ? NULL : NEXT(realpath)(path, to); }
int socket(int family, int kind, int protocol) { return fails(SOCKET) ? -1 : NEXT(socket)(family, kind, protocol); }

int accept4(int port, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
    return fails(ACCEPT) ? -1 : NEXT(accept4)(port, address, length, flags);
}

int pipe(int ends[2]) { return fails(PIPE) ? -1 : NEXT(pipe)(ends); }
int pipe2(int ends[2], int flags) { return fails(PIPE) ? -1 : NEXT(pipe2)(ends, flags); }
int mkdir(const char *path, mode_t mode) { return fails(MKDIR) ? -1 : NEXT(mkdir)(path, mode); }
int rename(const char *from, const char *to) { return fails(RENAME) ? -1 : NEXT(rename)(from, to); }
int mkstemp(char *path) { return fails(OPEN) ? -1 : NEXT(mkstemp)(path); }
int socketpair(int family, int kind, int protocol, int ends[2]) {
    return fails(PIPE) ? -1 : NEXT(socketpair)(family, kind, protocol, ends);
}
int fsync(int file) { return fails(FSYNC) ? -1 : NEXT(fsync)(file); }

// libdispatch ends the process where it gets none of these.
static int is_of_dispatch(void *caller) {
    Dl_info from;
    return dladdr(caller, &from) && from.dli_fname != NULL && strstr(from.dli_fname, "libdispatch") != NULL;
}

#define DESCRIPTOR_FAILS() (!is_of_dispatch(__builtin_return_address(0)) && fails(DESCRIPTOR))
int epoll_create1(int flags) { return DESCRIPTOR_FAILS() ? -1 : NEXT(epoll_create1)(flags); }
int eventfd(unsigned count, int flags) { return DESCRIPTOR_FAILS() ? -1 : NEXT(eventfd)(count, flags); }
int timerfd_create(int clock, int flags) { return DESCRIPTOR_FAILS() ? -1 : NEXT(timerfd_create)(clock, flags); }
int inotify_init1(int flags) { return DESCRIPTOR_FAILS() ? -1 : NEXT(inotify_init1)(flags); }

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict kind, void *(*body)(void *), void *restrict word) {
    int code = fails(THREAD);
    return code ? code : NEXT(pthread_create)(thread, kind, body, word);
}

int posix_spawnp(
    pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const words[restrict], char *const variables[restrict]) {
    int code = fails(SPAWN);
    return code ? code : NEXT(posix_spawnp)(child, path, actions, attributes, words, variables);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static __typeof__(&clock_gettime) system_clock;
    if (system_clock == NULL) system_clock = NEXT(clock_gettime);
    int code = system_clock(clock, now);
    int is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (code == 0 && is_wall && control != NULL) now->tv_sec += atomic_load(&control->step);
    return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int code = NEXT(gettimeofday)(now, zone);
    if (code == 0 && control != NULL) now->tv_sec += atomic_load(&control->step);
    return code;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to != NULL) *to = now.tv_sec;
    return now.tv_sec;
}
