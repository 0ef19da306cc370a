internal import ProctorBase
internal import ProctorNotation
internal import ProctorScenario

/// Finds parts of a scenario that say http where its origins get https, as they do over HTTP/3.
struct PlainHTTPObstacles {
    let origins: [Origin]
    let wanted: RunProtocol

    /// Servers whose http becomes https; none where the run has http.
    private var plain: [Origin] {
        origins.filter { $0.role == .server && $0.getsTLS(inRunOf: wanted) }
    }

    /// The obstacles of the origins, and of the replies of their exchanges.
    func obstacles(in exchanges: [Exchange]) -> [HTTP2Obstacle] {
        guard !plain.isEmpty else { return [] }
        return besideHTTPS
            + exchanges.filter { origins[$0.origin].getsTLS(inRunOf: wanted) }
            .flatMap(\.replies).flatMap(replyObstacles)
    }

    /// The obstacles of the URLs and fields in the client's program.
    func obstacles(in item: Case) -> [HTTP2Obstacle] {
        guard !plain.isEmpty else { return [] }
        let programs = item.client.filter {
            ([$0.url] + $0.headers.map(\.value)).map(Self.text).contains(where: Self.namesHTTP)
        }
        .map { HTTP2Obstacle($0.location, sentence) }
        guard item.wire?.text.contains(text: ":80)") ?? false, let program = item.client.first else { return programs }
        return programs + [HTTP2Obstacle(program.location, "the requests name the port of http, and \(httpsAlone)")]
    }

    /// With https alone the client would see no change of scheme, which such scenarios are about.
    private var besideHTTPS: [HTTP2Obstacle] {
        guard origins.contains(where: { $0.tls != nil }) else { return [] }
        return plain.map {
            HTTP2Obstacle(
                $0.location, "the origin \($0.name) has http beside an origin of https, and \(httpsAlone)")
        }
    }

    private func replyObstacles(_ reply: Reply) -> [HTTP2Obstacle] {
        guard case .structured(let message)? = reply.message else { return [] }
        return message.headers.compactMap { field in
            let text = Self.text(field.value)
            if Self.namesHTTP(text) { return HTTP2Obstacle(field.location, sentence) }
            guard field.isNamed("set-cookie"), text.contains(text: "secure") else { return nil }
            return HTTP2Obstacle(
                field.location, "a cookie is Secure, and \(wanted.name) has no http from which it is kept")
        }
    }

    private var httpsAlone: String { "\(wanted.name) has https alone" }

    private var sentence: String {
        "the URL has the scheme http, and \(httpsAlone)" + (wanted == .h3 ? " (RFC 9114 §3.1)" : "")
    }

    private static func namesHTTP(_ text: String) -> Bool { text.contains(text: "http:") }

    /// The literal parts in lower case; a zero byte stands for each value that the run fills in.
    private static func text(_ template: Template) -> String {
        template.parts.map { part in
            if case .literal(let bytes) = part { String(decoding: bytes, as: UTF8.self).lowercased() } else { "\u{0}" }
        }.joined()
    }
}
