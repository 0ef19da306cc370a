"""What is different over TLS: the scheme of URLs, and cookies that are secure."""

from question import asking, get


def questions():
    for question in (
        get("/get?a=1"),
        get("/anything"),
        asking("POST", "/post", body=b"hello"),
        get("/stream/1"),
        get("/headers"),
        get("/redirect/2"),
        get("/redirect/2?absolute=true"),
        get("/absolute-redirect/1"),
        get("/absolute-redirect/2", host="other.test:8443"),
        get("/relative-redirect/2"),
        get("/cookies/set/a/1"),
        get("/cookies/set?a=1&b=2"),
        get("/cookies/delete?a=1"),
        get("/get", ("X-Forwarded-Proto", "http"), note="forwarded http"),
        get("/get", host="other.test:443", note="Host other.test:443"),
        get("/get", host="other.test:80", note="Host other.test:80"),
        get("/bytes/100000?seed=1"),
        get("/gzip"),
        get("/image/jpeg"),
        asking("HEAD", "/image/jpeg"),
    ):
        question.name += " [TLS]"
        yield question
