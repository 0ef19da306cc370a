/* Keep-alive GETs of one URL over several connections, each request with a credential of its own that is computed before
 * the clock starts: the server's share is measured, not the client's.
 *
 * main PORT PATH SCHEME CONNECTIONS COUNT: prints requests per second. SCHEME is none, basic, MD5 or SHA-256; the last
 * two ask for a nonce first, and count up from 1.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_SIZE = 640, REPLY_SIZE = 4096, CONNECTIONS = 256 };

struct connection {
    int socket;
    char *requests; /* REQUEST_SIZE for each */
    long sent, total;
    char reply[REPLY_SIZE + 1];
    size_t filled;
};

static void fail(const char *what) {
    fprintf(stderr, "auth-gets: %s: %s\n", what, strerror(errno));
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

/* Length of the whole reply that begins here; 0 while it isn't there. */
static size_t reply_length(const char *reply, size_t filled) {
    const char *end = strstr(reply, "\r\n\r\n");
    if (end == NULL) return 0;
    const char *field = strcasestr(reply, "\r\nContent-Length: ");
    size_t length = (size_t)(end + 4 - reply) + (field ? (size_t)atol(field + 18) : 0);
    return length <= filled ? length : 0;
}

static void send_all(int handle, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(handle, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) fail("send");
        bytes += sent;
        count -= (size_t)sent;
    }
}

/* 1 when a whole reply is there. */
static int take(struct connection *it) {
    ssize_t count = recv(it->socket, it->reply + it->filled, REPLY_SIZE - it->filled, 0);
    if (count <= 0) fail("recv");
    it->filled += (size_t)count;
    it->reply[it->filled] = 0;
    return reply_length(it->reply, it->filled) > 0;
}

static void hash(const EVP_MD *function, const char *text, char *hex) {
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned int count = 0;
    if (EVP_Digest(text, strlen(text), bytes, &count, function, NULL) != 1) fail("EVP_Digest");
    for (unsigned int i = 0; i < count; i++) sprintf(hex + 2 * i, "%02x", bytes[i]);
}

static void prepare(struct connection *it, const char *path, const char *scheme) {
    char field[REQUEST_SIZE / 2] = "", secret[129], action[129], nonce[129] = "", text[512];
    const EVP_MD *function = strcmp(scheme, "MD5") == 0 ? EVP_md5() : EVP_sha256();
    int is_digest = strcmp(scheme, "none") != 0 && strcmp(scheme, "basic") != 0;
    if (strcmp(scheme, "basic") == 0) strcpy(field, "Authorization: Basic dXNlcjpwYXNz\r\n");
    if (is_digest) {
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", path);
        send_all(it->socket, text, strlen(text));
        while (!take(it)) continue;
        const char *begin = strstr(it->reply, "nonce=\"");
        size_t length = begin ? strcspn(begin + 7, "\"") : 0;
        if (length == 0 || length >= sizeof nonce) {
            fprintf(stderr, "auth-gets: no nonce: %s\n", it->reply);
            exit(1);
        }
        memcpy(nonce, begin + 7, length);
        hash(function, "user:lab:pass", secret);
        snprintf(text, sizeof text, "GET:%s", path);
        hash(function, text, action);
        it->filled = 0;
    }
    for (long number = 0; number < it->total; number++) {
        if (is_digest) {
            char response[129];
            snprintf(text, sizeof text, "%s:%s:%08lx:0a4f113b:auth:%s", secret, nonce, number + 1, action);
            hash(function, text, response);
            int count = snprintf(field, sizeof field,
                "Authorization: Digest username=\"user\", realm=\"lab\", nonce=\"%s\", uri=\"%s\", algorithm=%s, qop=auth, "
                "nc=%08lx, cnonce=\"0a4f113b\", response=\"%s\"\r\n", nonce, path, scheme, number + 1, response);
            if (count >= (int)sizeof field) fail("a field that is too long");
        }
        snprintf(it->requests + number * REQUEST_SIZE, REQUEST_SIZE, "GET %s HTTP/1.1\r\nHost: a\r\n%s\r\n", path, field);
    }
}

static void ask(struct connection *it) {
    const char *request = it->requests + it->sent++ * REQUEST_SIZE;
    send_all(it->socket, request, strlen(request));
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: %s PORT PATH none|basic|MD5|SHA-256 CONNECTIONS COUNT\n", argv[0]);
        return 2;
    }
    int connections = atoi(argv[4]);
    long each = connections > 0 ? atol(argv[5]) / connections : 0;
    if (connections > CONNECTIONS || each < 1) return 2;
    static struct connection all[CONNECTIONS];
    static struct pollfd waiting[CONNECTIONS];
    for (int i = 0; i < connections; i++) {
        all[i] = (struct connection){.socket = dial(atoi(argv[1])), .total = each};
        all[i].requests = malloc((size_t)each * REQUEST_SIZE);
        if (all[i].requests == NULL) fail("malloc");
        prepare(&all[i], argv[2], argv[3]);
        waiting[i] = (struct pollfd){.fd = all[i].socket, .events = POLLIN};
    }
    double begin = now();
    long left = each * connections;
    for (int i = 0; i < connections; i++) ask(&all[i]);
    while (left > 0) {
        if (poll(waiting, (nfds_t)connections, 30000) <= 0) fail("poll");
        for (int i = 0; i < connections; i++) {
            if (waiting[i].revents == 0 || !take(&all[i])) continue;
            if (strncmp(all[i].reply, "HTTP/1.1 200", 12) != 0) {
                fprintf(stderr, "auth-gets: %s\n", all[i].reply);
                return 1;
            }
            left--;
            all[i].filled = 0;
            if (all[i].sent < all[i].total) ask(&all[i]);
        }
    }
    printf("%.0f\n", (double)each * connections / (now() - begin));
    return 0;
}
