internal import ProctorBase
package import ProctorHTTP

/// What a client asks for in its opening handshake, which the server's reply must fit.
package struct OpeningOffer: Sendable, Equatable {
    /// The value of Sec-WebSocket-Key; nil without one, and on a stream of HTTP/2 (RFC 8441 §5).
    package var key: [UInt8]?
    /// In the order of the client's preference.
    package var protocols: [String]
    package var extensions: [WebSocketExtension]
    /// Whether it is an extended CONNECT of HTTP/2.
    package var isStream: Bool

    package init(
        key: [UInt8]?, protocols: [String] = [], extensions: [WebSocketExtension] = [], isStream: Bool = false
    ) {
        (self.key, self.protocols, self.extensions, self.isStream) = (key, protocols, extensions, isStream)
    }
}

/// The opening handshake of a client, and what is wrong with it (RFC 6455 §4.1, RFC 8441 §5).
package struct OpeningRequest: Sendable, Equatable {
    /// As far as it could be read.
    package let offer: OpeningOffer
    /// The value of Sec-WebSocket-Version, as it came; nil without one.
    package let version: [UInt8]?
    /// Which a browser sends (RFC 6455 §4.1); nil without one.
    package let origin: [UInt8]?
    /// In the order of their places.
    package let violations: [HandshakeViolation]

    package init(judging head: RequestHead) {
        var fields = HandshakeFields(head.fields, byteCount: head.byteCount)
        if head.isMultiplexed {
            Self.judgeStream(head, &fields)
        } else {
            Self.judgeUpgrade(head, &fields)
        }
        if fields.lines(named: "host").isEmpty { fields.report(.hostMissing, at: fields.end) }
        let version = fields.onlyLine("sec-websocket-version", missing: .versionMissing, twice: .versionTwice)
        if let version, version.value != Array("13".utf8) {
            fields.report(.versionNot13, at: version.offset, HandshakeText.quote(version.value))
        }
        if let accept = fields.lines(named: "sec-websocket-accept").first {
            fields.report(.acceptInRequest, at: accept.offset, HandshakeText.quote(accept.value))
        }
        offer = OpeningOffer(
            key: head.isMultiplexed ? nil : Self.key(&fields), protocols: Self.protocols(&fields),
            extensions: fields.extensions(in: .offer), isStream: head.isMultiplexed)
        self.version = version?.value
        origin = fields.lines(named: "origin").first?.value
        violations = fields.violations.sorted { $0.offset < $1.offset }
    }

    /// The value of Sec-WebSocket-Accept; nil without a key.
    package var accept: String? { offer.key.flatMap { OpeningKey.accept(for: $0) } }

    private static func judgeUpgrade(_ head: RequestHead, _ fields: inout HandshakeFields) {
        if !head.hasMethod("GET") { fields.report(.methodNotGET, at: 0, HandshakeText.quote(head.methodBytes)) }
        if !head.version.hasHTTP11Semantics {
            fields.report(.versionBelowHTTP11, at: head.targetRange.upperBound + 1)
        }
        judgeConnection(&fields)
        if !fields.lists("websocket", in: "upgrade") {
            let line = fields.lines(named: "upgrade").first
            fields.report(
                .upgradeMissing, at: line?.offset ?? fields.end, line.map { HandshakeText.quote($0.value) } ?? "")
        }
    }

    /// Whether Connection has Upgrade.
    static func judgeConnection(_ fields: inout HandshakeFields) {
        guard !fields.lists("upgrade", in: "connection") else { return }
        let line = fields.lines(named: "connection").first
        fields.report(
            .connectionMissing, at: line?.offset ?? fields.end, line.map { HandshakeText.quote($0.value) } ?? "")
    }

    private static func judgeStream(_ head: RequestHead, _ fields: inout HandshakeFields) {
        if !head.hasMethod("CONNECT") {
            fields.report(.methodNotCONNECT, at: 0, HandshakeText.quote(head.methodBytes))
        }
        // In its letter case: a pseudo-field's value is compared as it stands.
        if head.protocolName != Array("websocket".utf8) {
            fields.report(.protocolPseudoFieldOther, at: 0, head.protocolName.map(HandshakeText.quote) ?? "missing")
        }
        for line in fields.lines(named: "upgrade") + fields.lines(named: "connection") {
            fields.report(.upgradeOnStream, at: line.offset, HandshakeText.quote(line.value))
        }
    }

    private static func key(_ fields: inout HandshakeFields) -> [UInt8]? {
        let line = fields.onlyLine("sec-websocket-key", missing: .keyMissing, twice: .keyTwice)
        if let line, let departure = OpeningKey.departure(of: line.value) {
            fields.report(departure.kind, at: line.offset, departure.detail)
        }
        return line?.value
    }

    private static func protocols(_ fields: inout HandshakeFields) -> [String] {
        var protocols: [String] = []
        for element in fields.elements(of: "sec-websocket-protocol") {
            let name = String(decoding: element.value, as: UTF8.self)
            if !element.value.allSatisfy(\.isTokenByte) {
                fields.report(.protocolNotToken, at: element.offset, HandshakeText.quote(element.value))
            } else if protocols.contains(name) {
                fields.report(.protocolRepeated, at: element.offset, HandshakeText.quote(element.value))
            } else {
                protocols.append(name)
            }
        }
        return protocols
    }
}
