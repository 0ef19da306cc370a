internal import ProctorBase
internal import ProctorProgram
internal import ProctorScenario

/// Finds redirects from https to http: the client can't know that the new server speaks HTTP/2.
///
/// Over TLS, ALPN tells the client. Without TLS, it needs prior knowledge (RFC 9113 §3.3), which it has of the URL in
/// its program and not of a Location.
struct StepsDown {
    let exchanges: [Exchange]
    let origins: [Origin]

    /// The obstacles, at the programs that begin with https and follow such a redirect.
    func obstacles(in item: Case) -> [HTTP2Obstacle] {
        item.client.compactMap { program in
            let isFollowed = program.onRedirect.contains { $0.word == "follow" }
            guard isFollowed, scheme(of: program.url, at: 0) == .https, leadsDown(from: program.url) else { return nil }
            return HTTP2Obstacle(
                program.location,
                "a redirect leads from https to http, where nothing tells that HTTP/2 is spoken (RFC 9113 §3.3)")
        }
    }

    /// Whether redirects lead from https to http; follows them by their paths, on any origin.
    private func leadsDown(from url: Template) -> Bool {
        var reached: [[UInt8]] = []
        var next = [path(of: url)].compactMap(\.self)
        while let path = next.popLast() {
            reached.append(path)
            for exchange in exchanges where exchange.request.target.exactBytes == path {
                for location in exchange.locations {
                    let isSecure = origins[exchange.origin].scheme == .https
                    if isSecure, scheme(of: location, at: exchange.origin) == .http, !isOwn(location) { return true }
                    if let further = self.path(of: location), !reached.contains(further) { next.append(further) }
                }
            }
        }
        return false
    }

    /// The scheme of a URL; nil when it begins with a late-bound part without a scheme.
    func scheme(of url: Template, at serving: Int) -> Origin.Scheme? {
        switch url.parts.first {
        case .origin(let index)?: origins[index ?? serving].scheme
        case .literal(let bytes)?:
            Origin.Scheme.allCases.first { bytes.starts(with: Array("\($0.rawValue)://".utf8)) }
                ?? origins[serving].scheme
        case .base?: origins[serving].scheme
        case .authority?, .host?, .port?, .now?, .capture?, .value?, nil: nil
        }
    }

    /// Whether the fixture sets the protocols of the URL's origin.
    private func isOwn(_ url: Template) -> Bool {
        guard case .origin(let index?)? = url.parts.first else { return false }
        return origins[index].ownProtocols != nil
    }

    /// The path, from the first slash after scheme and authority; nil when it contains a late-bound part.
    private func path(of url: Template) -> [UInt8]? {
        guard case .literal(let bytes)? = url.parts.last else { return nil }
        if url.parts.count > 1 {
            guard url.parts.count == 2 else { return nil }
            switch url.parts[0] {
            case .origin, .base: return bytes
            case .literal, .authority, .host, .port, .now, .capture, .value: return nil
            }
        }
        guard let mark = bytes.firstRange(ofBytes: "://".utf8) else { return bytes }
        return bytes[mark.upperBound...].firstIndex(of: UInt8(ascii: "/")).map { Array(bytes[$0...]) }
    }
}

extension Exchange {
    fileprivate var locations: [Template] {
        replies.flatMap { reply -> [Template] in
            guard case .structured(let message)? = reply.message else { return [] }
            return message.headers.filter { $0.isNamed("location") }.map(\.value)
        }
    }
}
