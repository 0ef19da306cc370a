import ProctorBase

/// Whether Host says what the request-target says (RFC 9112 §3.2).
enum HostComparison {
    /// Letter case of the host and the scheme's default port make no difference; userinfo does not belong to Host.
    static func matches(_ target: Span<UInt8>, form: TargetForm, host value: Span<UInt8>) -> Bool {
        guard let (host, port) = HostSyntax.split(value) else { return false }
        let named = URIReference(splitting: value.array.asAuthorityReference)
        guard form == .absolute else {
            // CONNECT: §3.2.3 shows Host without the port of the target, so only a port that is there can differ.
            let tunnel = URIReference(splitting: target.array.asAuthorityReference)
            return value.extracting(host).equalsIgnoringCase(tunnel.host)
                && (port?.isEmpty ?? true || named.portNumber == tunnel.portNumber)
        }
        let uri = URIReference(splitting: target.array)
        guard uri.authority != nil else { return value.isEmpty }
        return value.extracting(host).equalsIgnoringCase(uri.host)
            && (named.portNumber ?? uri.defaultPort) == uri.effectivePort
    }
}

extension [UInt8] {
    fileprivate var asAuthorityReference: [UInt8] { [UInt8(ascii: "/"), UInt8(ascii: "/")] + self }
}

extension Span<UInt8> {
    fileprivate func equalsIgnoringCase(_ other: ArraySlice<UInt8>?) -> Bool {
        guard let other, other.count == count else { return false }
        return zip(indices, other).allSatisfy { self[$0].asciiLowercased == $1.asciiLowercased }
    }
}
