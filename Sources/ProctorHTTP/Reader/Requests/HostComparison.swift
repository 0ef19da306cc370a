import ProctorBase

/// Whether Host says what the request-target says (RFC 9112 §3.2); nothing is copied for it.
enum HostComparison {
    /// Letter case of the host and the scheme's default port make no difference; userinfo does not belong to Host.
    static func matches(_ target: Span<UInt8>, form: TargetForm, host value: Span<UInt8>) -> Bool {
        guard let (host, port) = HostSyntax.split(value) else { return false }
        let name = value.extracting(host)
        guard form == .absolute else {
            // CONNECT: §3.2.3 shows Host without the port of the target, so only a port that is there can differ.
            guard let (tunnelHost, tunnelPort) = HostSyntax.split(target) else { return false }
            return name.equalsIgnoringCase(target.extracting(tunnelHost))
                && (port?.isEmpty ?? true || number(value, port) == number(target, tunnelPort))
        }
        let parts = URIReference.split(target)
        guard parts.authority != nil else { return value.isEmpty }
        guard let named = parts.host, name.equalsIgnoringCase(target.extracting(named)) else { return false }
        if port == nil, parts.port == nil { return true }
        let ownPort = URIReference.defaultPort(of: target, scheme: parts.scheme)
        // A port that is there and is none differs from every other.
        let askedPort = parts.port?.isEmpty ?? true ? ownPort : number(target, parts.port)
        return (number(value, port) ?? ownPort) == askedPort
    }

    private static func number(_ bytes: Span<UInt8>, _ port: Range<Int>?) -> Int? {
        guard let port else { return nil }
        return HostSyntax.port(bytes.extracting(port))
    }
}
