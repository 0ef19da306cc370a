// Receives many paced replies at once and tells how far each portion came from its moment.
//
// pace-arrivals PORT PATH CONNECTIONS PORTION-BYTES INTERVAL-NANOSECONDS PORTIONS
//
// Portion k is due k intervals after the beginning of its reply. The server is never early, so the portion that lies
// earliest tells the beginning; were it the first one, whatever delayed that would count against all others. When a
// portion came is what the kernel noted as it put the bytes into the receive queue, so that this program's own delays
// don't count. Prints the count of portions and how late they were in microseconds: median, 99th percentile, largest.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char head_end[] = "\r\n\r\n";

struct reply {
    int descriptor;
    // Bytes of head_end that were seen.
    unsigned head;
    long received;
    // Of each portion, less its intervals.
    int64_t *moments;
};

static void die(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// At most `limit` bytes and the moment at which the last of them came.
static ssize_t receive(int descriptor, char *bytes, size_t limit, int64_t *moment) {
    union {
        char bytes[256];
        struct cmsghdr align;
    } control;
    struct iovec vector = {bytes, limit};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
    *moment = now();
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); count > 0 && item; item = CMSG_NXTHDR(&message, item))
        if (item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec time;
            memcpy(&time, CMSG_DATA(item), sizeof time);
            *moment = time.tv_sec * 1000000000LL + time.tv_nsec;
        }
    return count;
}

int main(int count, char **arguments) {
    if (count != 7) {
        fprintf(stderr, "usage: pace-arrivals PORT PATH CONNECTIONS PORTION-BYTES INTERVAL-NANOSECONDS PORTIONS\n");
        return 2;
    }
    int connections = atoi(arguments[3]);
    long portion = atol(arguments[4]), portions = atol(arguments[6]);
    int64_t interval = atoll(arguments[5]);
    if (connections < 1 || portion < 1 || portion > 65536 || portions < 2 || interval < 1) return 2;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n", arguments[2], arguments[1]);

    struct reply *replies = calloc((size_t)connections, sizeof *replies);
    size_t measured = (size_t)connections * (size_t)portions;
    int64_t *moments = malloc(sizeof *moments * measured);
    int poll = epoll_create1(0), yes = 1;
    if (!replies || !moments || poll < 0) die("memory");
    for (int index = 0; index < connections; index++) {
        replies[index].moments = moments + index * portions;
        int descriptor = replies[index].descriptor = socket(AF_INET, SOCK_STREAM, 0);
        if (descriptor < 0) die("socket");
        if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) die("connect");
        setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) != 0) die("epoll_ctl");
    }

    // Requests go a thousand in a second at random moments, so that the beats of the replies fall between each other.
    srandom(6);
    int begun = 0, ended = 0;
    int64_t start = now(), next = start, patience = start + 120000000000LL;
    static char bytes[65536];
    struct epoll_event events[256];
    while (ended < connections) {
        while (begun < connections && now() >= next) {
            if (send(replies[begun].descriptor, request, (size_t)length, 0) != length) die("send");
            begun++;
            next = start + begun * 1000000LL + random() % 1000000;
        }
        int ready = epoll_wait(poll, events, 256, begun < connections ? 1 : 1000);
        if (ready < 0 && errno != EINTR) die("epoll_wait");
        if (now() > patience) {
            fprintf(stderr, "%d of %d replies were not over after two minutes\n", connections - ended, connections);
            return 1;
        }
        for (int index = 0; index < ready; index++) {
            struct reply *reply = &replies[events[index].data.u32];
            int64_t moment;
            // Byte by byte through the head, which is short; then never beyond the end of a portion.
            size_t limit = reply->head < 4 ? 1 : (size_t)(portion - reply->received % portion);
            ssize_t got = receive(reply->descriptor, bytes, limit, &moment);
            if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
            if (got <= 0) {
                fprintf(stderr, "a reply ended after %ld bytes\n", reply->received);
                return 1;
            }
            if (reply->head < 4) {
                if (bytes[0] == head_end[reply->head]) reply->head++;
                else reply->head = bytes[0] == '\r';
                continue;
            }
            reply->received += got;
            if (reply->received % portion != 0) continue;
            long number = reply->received / portion - 1;
            reply->moments[number] = moment - number * interval;
            if (number + 1 < portions) continue;
            int64_t beginning = reply->moments[0];
            for (long each = 1; each < portions; each++)
                if (reply->moments[each] < beginning) beginning = reply->moments[each];
            for (long each = 0; each < portions; each++) reply->moments[each] -= beginning;
            close(reply->descriptor);
            ended++;
        }
    }
    qsort(moments, measured, sizeof *moments, ascending);
    printf("%zu %.1f %.1f %.1f\n", measured, moments[measured / 2] / 1e3, moments[measured * 99 / 100] / 1e3,
           moments[measured - 1] / 1e3);
    return 0;
}
