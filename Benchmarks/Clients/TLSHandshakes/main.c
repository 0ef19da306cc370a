// Full handshakes of TLS 1.3, one request each, from several processes; prints how many a second came to their end.
//
//     tls-handshakes PORT SERVER-NAME PATH PROCESSES SECONDS
//
// No session is resumed and no certificate is judged, so that what differs between two servers is theirs.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    return 1;
}

static int one(SSL_CTX *context, int port, const char *name, const char *request, size_t length) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return fail("connect");
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SSL *ssl = SSL_new(context);
    SSL_set_tlsext_host_name(ssl, name);
    SSL_set_fd(ssl, descriptor);
    if (SSL_connect(ssl) != 1) return fail("handshake");
    if (SSL_write(ssl, request, length) != (int)length) return fail("write");
    char reply[4096];
    size_t count = 0;
    int got;
    while ((got = SSL_read(ssl, reply + count, sizeof reply - 1 - count)) > 0) count += got;
    reply[count] = 0;
    if (strncmp(reply, "HTTP/1.1 200", 12) != 0 || strstr(reply, "hello") == NULL) return fail("no 200 with its content");
    // Nobody waits in TIME_WAIT for our port.
    struct linger linger = {.l_onoff = 1};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    SSL_free(ssl);
    close(descriptor);
    return 0;
}

int main(int count, char **words) {
    if (count != 6) return fail("usage: tls-handshakes PORT SERVER-NAME PATH PROCESSES SECONDS");
    int port = atoi(words[1]), processes = atoi(words[4]);
    double seconds = atof(words[5]);
    if (processes < 1 || processes > 64) return fail("1 to 64 processes");
    signal(SIGPIPE, SIG_IGN);
    long *done = mmap(NULL, sizeof(long) * 64, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n",
                          words[3], port);
    double start = now();
    for (int number = 0; number < processes; number++) {
        if (fork() != 0) continue;
        SSL_CTX *context = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
        SSL_CTX_set_ciphersuites(context, "TLS_AES_256_GCM_SHA384");
        SSL_CTX_set1_groups_list(context, "X25519");
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
        while (now() - start < seconds) {
            if (one(context, port, words[2], request, length) != 0) _exit(1);
            done[number]++;
        }
        _exit(0);
    }
    int status = 0, bad = 0;
    while (wait(&status) > 0) bad |= status;
    long sum = 0;
    for (int number = 0; number < processes; number++) sum += done[number];
    printf("%.1f\n", sum / (now() - start));
    return bad != 0;
}
