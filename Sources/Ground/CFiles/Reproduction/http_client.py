context = ssl.create_default_context(cafile=TRUST)
context.set_alpn_protocols(["http/1.1"])
connections = {}


def connection_for(scheme, authority, timeout):
    key = (scheme, PROXY if PROXY and scheme == "http" else authority)
    if key not in connections:
        place = PROXY.removeprefix("http://") if PROXY else authority
        connections[key] = (
            http.client.HTTPConnection(place) if scheme == "http" else http.client.HTTPSConnection(place, context=context))
        if PROXY and scheme == "https":
            connections[key].set_tunnel(authority)
    connections[key].timeout = timeout
    return connections[key]


def load(method, url, headers=(), data=None, follow=False, timeout=None):
    told, count = "", 0
    scheme, _, rest = url.partition("://")
    end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
    authority, target = rest[:end].rsplit("@", 1)[-1], rest[end:].split("#", 1)[0]
    target = target if target.startswith("/") else "/" + target
    fields = http.client.HTTPMessage()
    for name, value in headers:
        fields[name] = value
    connection = connection_for(scheme.lower(), authority, timeout)
    try:
        connection.request(method, f"http://{authority}{target}" if PROXY and scheme == "http" else target, data, fields)
        response = connection.getresponse()
        told = f"{response.status} -, "
        try:
            while piece := response.read():
                count += len(piece)
        except http.client.IncompleteRead as error:
            count += len(error.partial)
            raise
        print(f"{told}{count} bytes")
    except Exception as error:
        connection.close()
        print(f"{told}error{f' after {count} bytes' if told else ''}: {type(error).__name__}: {error}")


