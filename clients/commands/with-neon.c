// build: gcc IN -o OUT -I/usr/include/neon -lneon
// Loads a URL with neon: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
#include <fcntl.h>
#include <ne_redirect.h>
#include <ne_request.h>
#include <ne_session.h>
#include <ne_uri.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int give(void *data, const char *bytes, size_t count) { return fwrite(bytes, 1, count, stdout) != count; }

int main(int count, char **words) {
    ne_uri uri;
    ne_uri_parse(words[2], &uri);
    ne_session *session = ne_session_create(uri.scheme, uri.host, uri.port ? uri.port : ne_uri_defaultport(uri.scheme));
    char target[65536];
    snprintf(target, sizeof target, "%s%s%s", uri.path, uri.query ? "?" : "", uri.query ? uri.query : "");
    ne_request *request = ne_request_create(session, words[1], target);
    for (int index = 3; index < count; index++) {
        char *colon = strstr(words[index], ": ");
        if (words[index][0] == '@') {
            ne_set_request_body_fd(request, open(words[index] + 1, O_RDONLY), 0, lseek(open(words[index] + 1, O_RDONLY), 0, SEEK_END));
        } else {
            *colon = 0;
            ne_add_request_header(request, words[index], colon + 2);
        }
    }
    ne_add_response_body_reader(request, ne_accept_always, give, NULL);
    int result = ne_request_dispatch(request);
    if (result != NE_OK) fprintf(stderr, "%s\n", ne_get_error(session));
    return result != NE_OK;
}
