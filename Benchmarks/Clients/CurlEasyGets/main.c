/* Sequential GETs of one URL through curl's easy interface, on one handle that keeps its connection.
 *
 * main URL COUNT: prints requests per second.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static size_t take(char *bytes, size_t size, size_t count, void *received) {
    (void)bytes;
    *(size_t *)received += size * count;
    return size * count;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int get(CURL *handle, size_t *received) {
    long status = 0;
    CURLcode code = curl_easy_perform(handle);
    if (code == CURLE_OK) curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_OK && status == 200 && *received > 0) return 1;
    fprintf(stderr, "curl-easy-gets: %s, status %ld\n", curl_easy_strerror(code), status);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3 || atol(argv[2]) < 1) {
        fprintf(stderr, "usage: %s URL COUNT\n", argv[0]);
        return 2;
    }
    long count = atol(argv[2]);
    size_t received = 0;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURL *handle = curl_easy_init();
    if (handle == NULL) return 1;
    curl_easy_setopt(handle, CURLOPT_URL, argv[1]);
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &received);
    for (long warm = 0; warm < count / 10 + 1; warm++) {
        if (!get(handle, &received)) return 1;
    }
    double begin = now();
    for (long number = 0; number < count; number++) {
        received = 0;
        if (!get(handle, &received)) return 1;
    }
    printf("%.0f\n", (double)count / (now() - begin));
    curl_easy_cleanup(handle);
    return 0;
}
