/* Runs made and dropped over the control API by several kept-alive connections at once; prints how many a second.
 *
 * run-calls PORT SCENARIO CONNECTIONS SECONDS
 *
 * Each connection makes a run, reads its name in the reply, drops the run and begins anew; nothing else of a reply is
 * looked at, so that this program costs less than the server that it asks.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 256, REPLY_SIZE = 65536 };

struct connection {
    int socket;
    int is_dropping;
    size_t filled;
    char reply[REPLY_SIZE + 1];
};

static char make_request[1024];
static size_t make_length;

static void fail(const char *what) {
    fprintf(stderr, "run-calls: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    int one = 1, handle = socket(AF_INET, SOCK_STREAM, 0);
    if (handle < 0 || connect(handle, (struct sockaddr *)&address, sizeof address) != 0) fail("connect");
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return handle;
}

/* A request is far shorter than the buffer of a socket. */
static void send_all(int handle, const char *bytes, size_t count) {
    if (send(handle, bytes, count, MSG_NOSIGNAL) != (ssize_t)count) fail("send");
}

static void make_run(struct connection *it) {
    it->is_dropping = 0;
    send_all(it->socket, make_request, make_length);
}

static void drop_run(struct connection *it, const char *name, int length) {
    char request[512];
    int count = snprintf(request, sizeof request, "DELETE /__proctor/runs/%.*s HTTP/1.1\r\nHost: localhost\r\n\r\n", length, name);
    if (count >= (int)sizeof request) fail("a name this long");
    it->is_dropping = 1;
    send_all(it->socket, request, (size_t)count);
}

/* Length of the whole reply that begins here; 0 while it isn't there. */
static size_t reply_length(const char *reply, size_t filled) {
    const char *end = strstr(reply, "\r\n\r\n");
    if (end == NULL) return 0;
    const char *field = strcasestr(reply, "\r\nContent-Length: ");
    size_t length = (size_t)(end + 4 - reply) + (field != NULL && field < end ? (size_t)atol(field + 18) : 0);
    return length <= filled ? length : 0;
}

/* Reads what there is, and says whether a run has been made and dropped. */
static int advance(struct connection *it) {
    ssize_t got = recv(it->socket, it->reply + it->filled, REPLY_SIZE - it->filled, 0);
    if (got <= 0) fail("receive");
    it->filled += (size_t)got;
    it->reply[it->filled] = 0;
    if (reply_length(it->reply, it->filled) == 0) return 0;
    it->filled = 0;
    if (strncmp(it->reply, "HTTP/1.1 20", 11) != 0) {
        fprintf(stderr, "run-calls: %.300s\n", it->reply);
        exit(1);
    }
    if (it->is_dropping) {
        make_run(it);
        return 1;
    }
    const char *name = strstr(it->reply, "\"run\":");
    if (name == NULL) fail("a reply without a run");
    name = strchr(name + 6, '"');
    if (name == NULL) fail("a reply without a run's name");
    drop_run(it, name + 1, (int)strcspn(name + 1, "\""));
    return 0;
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: run-calls PORT SCENARIO CONNECTIONS SECONDS\n");
        return 2;
    }
    int port = atoi(words[1]), number = atoi(words[3]);
    double seconds = atof(words[4]);
    if (number < 1 || number > CONNECTIONS) return 2;
    char body[512];
    int length = snprintf(body, sizeof body, "{\"scenario\":\"%s\"}", words[2]);
    make_length = (size_t)snprintf(make_request, sizeof make_request,
                                   "POST /__proctor/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", length, body);
    static struct connection connections[CONNECTIONS];
    struct pollfd waits[CONNECTIONS];
    double start = now(), end = start;
    for (int index = 0; index < number; index++) {
        connections[index].socket = dial(port);
        waits[index] = (struct pollfd){.fd = connections[index].socket, .events = POLLIN};
        make_run(&connections[index]);
    }
    long done = 0;
    while ((end = now()) - start < seconds) {
        if (poll(waits, (nfds_t)number, 1000) < 0) fail("poll");
        for (int index = 0; index < number; index++)
            if (waits[index].revents != 0) done += advance(&connections[index]);
    }
    printf("%.1f\n", (double)done / (end - start));
    return 0;
}
