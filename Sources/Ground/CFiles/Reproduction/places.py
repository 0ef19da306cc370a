# Names that no name server knows, and where they stand.
resolve = socket.getaddrinfo


def getaddrinfo(host, port, *rest, **options):
    name = host.decode() if isinstance(host, bytes) else host
    host, port = PLACES.get((name.lower().removesuffix("."), port), (host, port))
    return resolve("127.0.0.1" if name.removesuffix(".") == "localhost" else host, port, *rest, **options)


socket.getaddrinfo = getaddrinfo


