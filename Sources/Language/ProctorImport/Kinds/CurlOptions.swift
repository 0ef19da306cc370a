/// The options of curl that an import knows.
enum CurlOptions {
    enum Option: Sendable {
        case method, header, agent, referer, cookie, user, oauth
        case data, dataBinary, dataRaw, dataEncoded, json, form, formText
        case get, head, upload, range, compressed, digest, follow, url, next
        case proxy, http2
        /// Takes a value, and changes no request.
        case toldWithValue
        case told
    }

    /// By long name; of those that take a value the second part is true.
    private static let table: [String: (Option, Bool)] = [
        "request": (.method, true), "header": (.header, true), "user-agent": (.agent, true),
        "referer": (.referer, true),
        "cookie": (.cookie, true), "user": (.user, true), "oauth2-bearer": (.oauth, true), "data": (.data, true),
        "data-ascii": (.data, true), "data-binary": (.dataBinary, true), "data-raw": (.dataRaw, true),
        "data-urlencode": (.dataEncoded, true), "json": (.json, true), "form": (.form, true),
        "form-string": (.formText, true), "get": (.get, false), "head": (.head, false), "upload-file": (.upload, true),
        "range": (.range, true), "compressed": (.compressed, false), "digest": (.digest, false),
        "basic": (.told, false),
        "anyauth": (.digest, false), "location": (.follow, false), "location-trusted": (.follow, false),
        "url": (.url, true), "next": (.next, false), "proxy": (.proxy, true), "http2": (.http2, false),
        "http2-prior-knowledge": (.http2, false), "http3": (.http2, false),
    ]

    private static let short: [Character: String] = [
        "X": "request", "H": "header", "A": "user-agent", "e": "referer", "b": "cookie", "u": "user", "d": "data",
        "F": "form", "G": "get", "I": "head", "T": "upload-file", "r": "range", "L": "location", "x": "proxy",
        ":": "next",
        "o": "output", "k": "insecure", "s": "silent", "S": "show-error", "v": "verbose", "i": "include", "f": "fail",
        "w": "write-out", "m": "max-time", "c": "cookie-jar", "D": "dump-header", "E": "cert", "O": "remote-name",
        "N": "no-buffer", "0": "http1.0", "1": "tlsv1", "4": "ipv4", "6": "ipv6", "g": "globoff", "C": "continue-at",
        "K": "config", "U": "proxy-user", "J": "remote-header-name", "#": "progress-bar", "y": "speed-time",
        "Y": "speed-limit", "z": "time-cond", "q": "disable", "Z": "parallel", "n": "netrc", "R": "remote-time",
        "p": "proxytunnel", "a": "append",
    ]

    /// Options that take a value and change no request of a scenario.
    private static let valued: Set<String> = [
        "output", "write-out", "max-time", "cookie-jar", "dump-header", "cert", "continue-at", "config", "proxy-user",
        "speed-time", "speed-limit", "time-cond", "connect-timeout", "max-redirs", "retry", "retry-delay",
        "retry-max-time", "cacert", "capath", "key", "ciphers", "resolve", "connect-to", "interface", "limit-rate",
        "max-filesize", "noproxy", "unix-socket", "trace", "trace-ascii", "stderr", "output-dir", "pass", "cert-type",
        "key-type", "tls-max", "dns-servers", "expect100-timeout", "keepalive-time", "rate", "proto", "proto-default",
        "proto-redir", "preproxy", "socks4", "socks4a", "socks5", "socks5-hostname", "tls13-ciphers", "curves",
        "doh-url", "local-port", "netrc-file", "service-name", "aws-sigv4", "variable", "etag-save", "etag-compare",
        "hsts", "alt-svc", "crlfile", "pinnedpubkey", "proxy-header", "happy-eyeballs-timeout-ms", "url-query",
        "create-file-mode", "request-target",
    ]
    /// Options without a value that change no request of a scenario.
    private static let plain: Set<String> = [
        "insecure", "silent", "show-error", "verbose", "include", "fail", "remote-name", "no-buffer", "http1.0",
        "http1.1", "tlsv1", "tlsv1.2", "tlsv1.3", "ipv4", "ipv6", "globoff", "remote-header-name", "progress-bar",
        "disable", "parallel", "netrc", "remote-time", "fail-with-body", "path-as-is", "create-dirs", "post301",
        "post302", "post303", "tcp-nodelay", "no-keepalive", "ssl-reqd", "negotiate", "ntlm", "no-progress-meter",
        "retry-all-errors", "retry-connrefused", "raw", "tr-encoding", "proxytunnel", "append", "fail-early",
        "remove-on-error", "trace-time", "trace-ids", "styled-output", "tcp-fastopen", "haproxy-protocol", "ssl",
        "netrc-optional", "junk-session-cookies", "crlf", "ignore-content-length", "no-alpn", "no-sessionid",
        "suppress-connect-headers",
    ]

    /// The long name, what it is, and whether it takes a value; nil for a name that is unknown.
    static func find(long name: String) -> (name: String, option: Option, takesValue: Bool)? {
        if let (option, takesValue) = table[name] { return (name, option, takesValue) }
        if valued.contains(name) { return (name, .toldWithValue, true) }
        if plain.contains(name) { return (name, .told, false) }
        if name.hasPrefix("no-"), plain.contains(String(name.dropFirst(3))) { return (name, .told, false) }
        return nil
    }

    static func find(short letter: Character) -> (name: String, option: Option, takesValue: Bool)? {
        short[letter].flatMap(find(long:))
    }
}
