extension SocketAddress {
    /// Of `127.0.0.1:4711`, `[::1]:4711` or `unix:/absolute/path`; nil for another text, and for the port 0.
    package init?(table text: String) {
        let scheme = "unix:"
        if text.hasPrefix(scheme) {
            let path = String(text.dropFirst(scheme.count))
            guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        self.init(host: String(host), port: port)
    }
}
