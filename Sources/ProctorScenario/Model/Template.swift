/// Text with late-bound parts, written `{{…}}` in a fixture.
public struct Template: Sendable, Equatable {
    /// In order.
    public let parts: [Part]

    /// Bytes that stand as they are, or what they are replaced by.
    public enum Part: Sendable, Equatable {
        case literal([UInt8])
        /// `{{base}}`: the URL of the scenario, without a slash at its end.
        case base
        /// `{{origin}}` (nil: the one that serves the reply) or `{{origin.NAME}}` as scheme, host and port.
        case origin(Int?)
        /// `{{authority}}` or `{{authority.NAME}}`: host and port only.
        case authority(Int?)
        /// `{{host}}` or `{{host.NAME}}`: the host of the authority, an address of IPv6 in its brackets.
        case host(Int?)
        /// `{{port}}` or `{{port.NAME}}`: its port in decimal, that of the scheme where the authority says none.
        case port(Int?)
        /// `{{now + 1h}}`: an IMF-fixdate (RFC 9110 §5.6.7) that many seconds after the reply is made.
        case now(offsetSeconds: Int)
        /// `{{path.NAME}}`: what `{NAME}` of the request pattern captured.
        case capture(String)
    }

    /// Text of these parts.
    public init(parts: [Part]) {
        self.parts = parts
    }

    /// The bytes, if nothing is late-bound.
    public var literalBytes: [UInt8]? {
        var bytes: [UInt8] = []
        for part in parts {
            guard case .literal(let piece) = part else { return nil }
            bytes += piece
        }
        return bytes
    }
}
