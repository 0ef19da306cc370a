/* libwebsockets with one thread: what comes goes back in pieces as they come. */
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4 << 20 };

struct session {
    unsigned char *bytes;
    size_t filled;
};

static int echo(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    struct session *session = user;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        session->bytes = malloc(LWS_PRE + ROOM);
        session->filled = 0;
        return session->bytes == NULL;
    case LWS_CALLBACK_CLOSED: free(session->bytes); return 0;
    case LWS_CALLBACK_RECEIVE:
        if (session->filled + length > ROOM) return -1;
        memcpy(session->bytes + LWS_PRE + session->filled, in, length);
        session->filled += length;
        if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) return 0;
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        if (session->filled == 0) return 0;
        size_t filled = session->filled;
        session->filled = 0;
        return lws_write(wsi, session->bytes + LWS_PRE, filled, LWS_WRITE_BINARY) < (int)filled ? -1 : 0;
    default: return 0;
    }
}

int main(int argc, char **argv) {
    static const struct lws_protocols protocols[] = {
        {"echo", echo, sizeof(struct session), 1 << 16, 0, NULL, 1 << 16},
        {NULL, NULL, 0, 0, 0, NULL, 0},
    };
    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.port = argc > 1 ? atoi(argv[1]) : 0;
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.pt_serv_buf_size = 1 << 16;
    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context *context = lws_create_context(&info);
    if (context == NULL) return 1;
    while (lws_service(context, 0) >= 0) {}
    return 0;
}
