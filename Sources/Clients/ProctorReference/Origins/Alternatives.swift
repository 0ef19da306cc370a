internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTPClient

/// The alternative services of origins, as their replies name them (RFC 7838); any thread may use it.
///
/// One is used only over TLS, where its server shows a certificate that the anchors trust for the origin's host (§2.1) and
/// speaks the protocol that was named (§2.4). The frame ALTSVC is not heeded.
final class Alternatives: Sendable {
    private let origins = Locked<[Origin: [Alternative]]>([:])

    /// The most origins; all are forgotten before another one is known.
    private static let limit = 1_000

    /// Heeds a reply of the origin, which came by this alternative of it, or by none.
    func heed(_ head: ReplyHead, of origin: Origin, by alternative: Alternative?) {
        guard !head.isInterim else { return }
        // One that answers so is used no more, and what the reply names counts for nothing (§6).
        if head.status == ReplyHead.misdirectedRequest {
            if let alternative { remove(alternative, of: origin) }
            return
        }
        guard let said = AlternativeServices(head.fields.values(named: "Alt-Svc").map { Array($0) }) else { return }
        let now = MonotonicClock.nanoseconds
        let age = head.fields.values(named: "Age").first.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        var known: [Alternative] = []
        if case .services(let services) = said {
            known = services.filter { isSpoken($0.protocolName) }.map { service in
                // The time runs from when the reply was made (§3.1).
                let seconds = UInt64(max(0, service.maxAge - min(max(0, age), service.maxAge)))
                return Alternative(
                    protocolName: service.protocolName,
                    place: Origin(scheme: .https, host: service.host ?? origin.host, port: service.port),
                    expiry: now + seconds * 1_000_000_000)
            }
        }
        origins.withLock { origins in
            if origins.count >= Self.limit, origins[origin] == nil { origins = [:] }
            origins[origin] = known.isEmpty ? nil : known
        }
    }

    /// Whether this client speaks the protocol of that name in ALPN.
    private func isSpoken(_ protocolName: String) -> Bool {
        switch protocolName {
        case "h2", "http/1.1": true
        case "h3": QUICLibrary.isRegistered
        default: false
        }
    }

    /// The first one that is fresh.
    func first(of origin: Origin) -> Alternative? {
        let now = MonotonicClock.nanoseconds
        return origins.withLock { $0[origin]?.first { $0.expiry > now } }
    }

    /// Forgets one that can't be used.
    func remove(_ alternative: Alternative, of origin: Origin) {
        origins.withLock { $0[origin]?.removeAll { $0 == alternative } }
    }
}

/// A place at which an origin is asked in place of its own.
struct Alternative: Sendable, Hashable {
    /// The name of the protocol in ALPN: `h3`, `h2` or `http/1.1`.
    let protocolName: String
    let place: Origin
    /// When it is no longer fresh, in MonotonicClock nanoseconds.
    let expiry: UInt64

    /// Equal ones lead to the same place, whenever they were named.
    static func == (one: Alternative, other: Alternative) -> Bool {
        one.protocolName == other.protocolName && one.place == other.place
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(protocolName)
        hasher.combine(place)
    }

    /// The value of Alt-Used (RFC 7838 §5).
    var used: String { place.hostAndPort }
}
