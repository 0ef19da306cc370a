/* Messages that a WebSocket server sends back, over several connections with one message under way each; prints how
 * many a second.
 *
 * websocket-echoes PORT PATH CONNECTIONS BYTES SECONDS
 *
 * The frame is made once, with its mask, and of what comes back no more than the head and the count of bytes is looked
 * at, so that this program costs less than any server that it asks (RFC 6455 §5.2).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 1024, BUFFER = 1 << 20 };

struct connection {
    int socket;
    size_t sent, received;
    int wants_room;
};

static unsigned char *frame, head[10];
static size_t frame_length, head_length, reply_length;
static char buffer[BUFFER];

static void fail(const char *what) {
    fprintf(stderr, "websocket-echoes: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* FIN, a binary message, and the length in its shortest form. */
static size_t write_head(unsigned char *into, size_t bytes, unsigned char mask) {
    into[0] = 0x82;
    if (bytes < 126) {
        into[1] = mask | (unsigned char)bytes;
        return 2;
    }
    size_t places = bytes < 65536 ? 2 : 8;
    into[1] = mask | (places == 2 ? 126 : 127);
    for (size_t place = 0; place < places; place++)
        into[2 + place] = (unsigned char)((unsigned long long)bytes >> (8 * (places - 1 - place)));
    return 2 + places;
}

static void make_frame(size_t bytes) {
    static const unsigned char key[4] = {0x37, 0xfa, 0x21, 0x3d};
    frame = malloc(14 + bytes);
    if (frame == NULL) fail("malloc");
    size_t length = write_head(frame, bytes, 0x80);
    memcpy(frame + length, key, 4);
    for (size_t place = 0; place < bytes; place++) frame[length + 4 + place] = (unsigned char)(place * 31) ^ key[place & 3];
    frame_length = length + 4 + bytes;
    head_length = write_head(head, bytes, 0);
    reply_length = head_length + bytes;
}

static int dial(int port, const char *path) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int one = 1, handle = socket(AF_INET, SOCK_STREAM, 0);
    if (handle < 0 || connect(handle, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    char text[1024];
    int length = snprintf(text, sizeof text,
                          "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
                          path, port);
    if (send(handle, text, (size_t)length, MSG_NOSIGNAL) != length) fail("send");
    size_t filled = 0;
    /* Byte by byte, since nothing behind the head may be taken. */
    while (filled < 4 || memcmp(text + filled - 4, "\r\n\r\n", 4) != 0) {
        if (filled == sizeof text || recv(handle, text + filled, 1, 0) != 1) fail("no reply to the handshake");
        filled++;
    }
    if (memcmp(text, "HTTP/1.1 101", 12) != 0) {
        fprintf(stderr, "websocket-echoes: the handshake was refused: %.60s\n", text);
        exit(1);
    }
    return handle;
}

static void watch(int poll, struct connection *it, int wants_room) {
    if (it->wants_room == wants_room) return;
    struct epoll_event event = {.events = EPOLLIN | (wants_room ? EPOLLOUT : 0), .data.ptr = it};
    if (epoll_ctl(poll, it->wants_room < 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, it->socket, &event) != 0) fail("epoll_ctl");
    it->wants_room = wants_room;
}

static void send_more(int poll, struct connection *it) {
    while (it->sent < frame_length) {
        ssize_t count = send(it->socket, frame + it->sent, frame_length - it->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EAGAIN) break;
        if (count <= 0) fail("send");
        it->sent += (size_t)count;
    }
    watch(poll, it, it->sent < frame_length);
}

/* Whether the message has come back. */
static int read_more(struct connection *it) {
    ssize_t count = recv(it->socket, buffer, reply_length - it->received < BUFFER ? reply_length - it->received : BUFFER,
                         MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return 0;
    if (count <= 0) fail("the server has ended a connection");
    for (size_t place = 0; it->received + place < head_length && place < (size_t)count; place++) {
        if ((unsigned char)buffer[place] != head[it->received + place]) {
            fprintf(stderr, "websocket-echoes: byte %zu of the reply is %02x, not %02x\n", it->received + place,
                    (unsigned char)buffer[place], head[it->received + place]);
            exit(1);
        }
    }
    it->received += (size_t)count;
    return it->received == reply_length;
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: websocket-echoes PORT PATH CONNECTIONS BYTES SECONDS\n");
        return 2;
    }
    int count = atoi(argv[3]);
    if (count < 1 || count > CONNECTIONS) return 2;
    make_frame((size_t)atol(argv[4]));
    static struct connection all[CONNECTIONS];
    int poll = epoll_create1(0);
    for (int number = 0; number < count; number++)
        all[number] = (struct connection){.socket = dial(atoi(argv[1]), argv[2]), .wants_room = -1};
    for (int number = 0; number < count; number++) send_more(poll, &all[number]);
    long messages = 0;
    double begin = now(), end = begin + atof(argv[5]), last = begin;
    while (last < end) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 1000);
        if (ready == 0) fail("no message came back for a second");
        for (int place = 0; place < ready; place++) {
            struct connection *it = events[place].data.ptr;
            if (events[place].events & EPOLLOUT) send_more(poll, it);
            if (!(events[place].events & EPOLLIN) || !read_more(it)) continue;
            messages++;
            it->sent = it->received = 0;
            send_more(poll, it);
        }
        last = now();
    }
    printf("%.1f\n", (double)messages / (last - begin));
    return 0;
}
