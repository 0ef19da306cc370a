internal import ProctorBase
package import ProctorHTTP

/// A server's reply to an opening handshake, and what is wrong with it (RFC 6455 §4.1, RFC 7692 §7.1, RFC 8441 §5).
///
/// A client fails the connection where there is a violation. A reply of another status is one of HTTP, of which nothing else
/// is judged.
package struct OpeningReply: Sendable, Equatable {
    /// The value of Sec-WebSocket-Protocol; nil without one.
    package let protocolName: String?
    package let extensions: [WebSocketExtension]
    /// The parameters of permessage-deflate, where it was accepted; nil also where they can't be read.
    package let compression: DeflateParameters?
    /// In the order of their places.
    package let violations: [HandshakeViolation]

    package init(judging head: ReplyHead, to offer: OpeningOffer) {
        var fields = HandshakeFields(head.fields, byteCount: head.bytes.count)
        let isOpened = offer.isStream ? 200..<300 ~= head.status : head.status == 101
        guard isOpened else {
            (protocolName, extensions, compression) = (nil, [], nil)
            violations = [
                HandshakeViolation(
                    offer.isStream ? .statusNot2xx : .statusNot101, at: 0, detail: "\(head.status)")
            ]
            return
        }
        if offer.isStream {
            for line in fields.lines(named: "upgrade") + fields.lines(named: "connection") {
                fields.report(.upgradeOnStream, at: line.offset, HandshakeText.quote(line.value))
            }
        } else {
            Self.judgeUpgrade(offer, &fields)
        }
        protocolName = Self.protocolName(offer, &fields)
        extensions = fields.extensions(in: .reply)
        compression = Self.compression(extensions, offer, &fields)
        violations = fields.violations.sorted { $0.offset < $1.offset }
    }

    private static func judgeUpgrade(_ offer: OpeningOffer, _ fields: inout HandshakeFields) {
        let upgrade = fields.lines(named: "upgrade")
        let value = upgrade.first?.value ?? []
        if upgrade.isEmpty {
            fields.report(.upgradeNotWebSocket, at: fields.end, "missing")
        } else if upgrade.count > 1 || !value.span.equalsIgnoringCase("websocket") {
            fields.report(.upgradeNotWebSocket, at: upgrade[0].offset, HandshakeText.quote(value))
        }
        OpeningRequest.judgeConnection(&fields)
        guard let accept = fields.onlyLine("sec-websocket-accept", missing: .acceptMissing, twice: .acceptTwice),
            let wanted = offer.key.flatMap({ OpeningKey.accept(for: $0) }), accept.value != Array(wanted.utf8)
        else { return }
        fields.report(
            .acceptWrong, at: accept.offset,
            "\(HandshakeText.quote(accept.value)) for \(HandshakeText.quote(wanted.utf8))")
    }

    private static func protocolName(_ offer: OpeningOffer, _ fields: inout HandshakeFields) -> String? {
        let elements = fields.elements(of: "sec-websocket-protocol")
        if elements.count > 1 {
            fields.report(.severalProtocols, at: elements[1].offset, HandshakeText.quote(elements[1].value))
        }
        guard let first = elements.first else { return nil }
        let name = String(decoding: first.value, as: UTF8.self)
        // In its letter case (RFC 6455 §4.1 names no other comparison).
        if !offer.protocols.contains(name) {
            fields.report(.protocolNotOffered, at: first.offset, HandshakeText.quote(first.value))
        }
        return name
    }

    /// Holds each extension against one of the client's.
    private static func compression(
        _ extensions: [WebSocketExtension], _ offer: OpeningOffer, _ fields: inout HandshakeFields
    ) -> DeflateParameters? {
        let place = fields.lines(named: "sec-websocket-extensions").first?.offset ?? fields.end
        var names = offer.extensions.map(\.name)
        let offers = offer.extensions.filter { $0.name == DeflateParameters.name }
            .compactMap { try? DeflateParameters($0, in: .offer) }
        var compression: DeflateParameters?
        for accepted in extensions {
            guard let index = names.firstIndex(of: accepted.name),
                compression == nil || accepted.name != DeflateParameters.name
            else {
                fields.report(.extensionNotOffered, at: place, HandshakeText.quote(accepted.name.utf8))
                continue
            }
            names.remove(at: index)
            guard accepted.name == DeflateParameters.name,
                let parameters = try? DeflateParameters(accepted, in: .reply)
            else { continue }
            compression = parameters
            // It may be the reply to any of them.
            let departures = offers.map { parameters.departures(from: $0) }
            for departure in departures.min(by: { $0.count < $1.count }) ?? [] { fields.report(departure, at: place) }
        }
        return compression
    }
}
