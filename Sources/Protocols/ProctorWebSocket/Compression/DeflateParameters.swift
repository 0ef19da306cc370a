internal import ProctorBase

/// The parameters of permessage-deflate, as a client offers them or a server accepts them (RFC 7692 §7.1).
package struct DeflateParameters: Sendable, Equatable {
    /// The name of the extension (§7).
    package static let name = "permessage-deflate"

    /// server_no_context_takeover: no message of the server refers to those before.
    package var serverTakesContextOver = true
    /// client_no_context_takeover; in an offer a hint (§7.1.1.2).
    package var clientTakesContextOver = true
    /// server_max_window_bits, 8 to 15; nil without it, which means 15.
    package var serverWindowBits: Int?
    /// client_max_window_bits.
    package var clientWindow = ClientWindow.absent

    package enum ClientWindow: Sendable, Equatable {
        /// The server may not ask for a smaller window.
        case absent
        /// Without a number, which an offer may have.
        case any
        /// 8 to 15.
        case bits(Int)
    }

    package enum Message: Sendable, Equatable {
        case offer, reply
    }

    package init() {}

    /// Throws the first departure; its offset is from the first byte of the extension.
    ///
    /// A server declines such an offer, and a client fails the connection (§7.1).
    package init(_ read: WebSocketExtension, in message: Message) throws(HandshakeViolation) {
        var seen: Set<String> = []
        for parameter in read.parameters {
            guard seen.insert(parameter.name).inserted else {
                throw HandshakeViolation(
                    .deflateParameterTwice, at: parameter.offset, detail: HandshakeText.quote(parameter.name.utf8))
            }
            let bits = parameter.value.flatMap(Self.windowBits)
            let isLawful: Bool
            switch parameter.name {
            case "server_no_context_takeover":
                serverTakesContextOver = false
                isLawful = parameter.value == nil
            case "client_no_context_takeover":
                clientTakesContextOver = false
                isLawful = parameter.value == nil
            case "server_max_window_bits":
                serverWindowBits = bits
                isLawful = bits != nil
            case "client_max_window_bits":
                clientWindow = bits.map { .bits($0) } ?? .any
                isLawful = bits != nil || parameter.value == nil && message == .offer
            default:
                throw HandshakeViolation(
                    .deflateUnknownParameter, at: parameter.offset, detail: HandshakeText.quote(parameter.name.utf8))
            }
            guard isLawful else {
                let value = parameter.value.map { "=\($0)" } ?? " without a value"
                throw HandshakeViolation(.deflateBadValue, at: parameter.offset, detail: "\(parameter.name)\(value)")
            }
        }
    }

    /// A number of 8 to 15 without a zero before it (§7.1.2.1).
    private static func windowBits(_ value: String) -> Int? {
        (8...15).first { String($0) == value }
    }

    /// As it stands in Sec-WebSocket-Extensions.
    package var webSocketExtension: WebSocketExtension {
        var parameters: [WebSocketExtension.Parameter] = []
        if !serverTakesContextOver { parameters.append(.init("server_no_context_takeover")) }
        if !clientTakesContextOver { parameters.append(.init("client_no_context_takeover")) }
        if let serverWindowBits { parameters.append(.init("server_max_window_bits", "\(serverWindowBits)")) }
        switch clientWindow {
        case .absent: break
        case .any: parameters.append(.init("client_max_window_bits"))
        case .bits(let bits): parameters.append(.init("client_max_window_bits", "\(bits)"))
        }
        return WebSocketExtension(Self.name, parameters)
    }

    /// What the messages of an end are compressed by, once a server has accepted these.
    package func direction(from sender: WebSocketRole) -> DeflateDirection {
        switch sender {
        case .server: DeflateDirection(takesContextOver: serverTakesContextOver, windowBits: serverWindowBits ?? 15)
        case .client: DeflateDirection(takesContextOver: clientTakesContextOver, windowBits: clientWindowBits ?? 15)
        }
    }

    private var clientWindowBits: Int? { if case .bits(let bits) = clientWindow { bits } else { nil } }

    /// What a server accepts of the first lawful offer of permessage-deflate; nil where there is none.
    ///
    /// `wish` narrows it: a context that is not taken over, and smaller windows.
    package static func accepting(
        _ offers: [WebSocketExtension], wish: DeflateParameters = DeflateParameters()
    ) -> DeflateParameters? {
        for offered in offers where offered.name == name {
            guard let offer = try? DeflateParameters(offered, in: .offer) else { continue }
            var reply = DeflateParameters()
            reply.serverTakesContextOver = offer.serverTakesContextOver && wish.serverTakesContextOver
            reply.clientTakesContextOver = offer.clientTakesContextOver && wish.clientTakesContextOver
            reply.serverWindowBits = [offer.serverWindowBits, wish.serverWindowBits].compactMap(\.self).min()
            if offer.clientWindow != .absent, let bits = [offer, wish].compactMap(\.clientWindowBits).min() {
                reply.clientWindow = .bits(bits)
            }
            return reply
        }
        return nil
    }

    /// How a server's reply, which this is, departs from an offer.
    func departures(from offer: DeflateParameters) -> [HandshakeViolation.Kind] {
        var departures: [HandshakeViolation.Kind] = []
        if !offer.serverTakesContextOver, serverTakesContextOver { departures.append(.deflateServerContextKept) }
        if let offered = offer.serverWindowBits, serverWindowBits ?? 15 > offered || serverWindowBits == nil {
            departures.append(.deflateServerWindowWider)
        }
        if let bits = clientWindowBits {
            switch offer.clientWindow {
            case .absent: departures.append(.deflateClientWindowNotOffered)
            case .bits(let offered) where bits > offered: departures.append(.deflateClientWindowWider)
            case .any, .bits: break
            }
        }
        return departures
    }
}
