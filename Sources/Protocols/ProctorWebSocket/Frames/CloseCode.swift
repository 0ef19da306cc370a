/// Why a connection ends, in the first two bytes of a Close frame (RFC 6455 §7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normalClosure = CloseCode(rawValue: 1000)
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    package static let noStatusReceived = CloseCode(rawValue: 1005)
    package static let policyViolation = CloseCode(rawValue: 1008)
    package static let messageTooBig = CloseCode(rawValue: 1009)
    package static let internalError = CloseCode(rawValue: 1011)

    /// What IANA's registry says of 1000 to 1015.
    private static let names: [UInt16: String] = [
        1000: "normal closure", 1001: "going away", 1002: "protocol error", 1003: "unsupported data", 1004: "reserved",
        1005: "no status received", 1006: "abnormal closure", 1007: "invalid payload", 1008: "policy violation",
        1009: "message too big", 1010: "mandatory extension", 1011: "internal error", 1012: "service restart",
        1013: "try again later", 1014: "bad gateway", 1015: "TLS handshake",
    ]

    package enum Permission: Sendable, Equatable {
        case permitted
        /// A MUST NOT of §7.4, or a number that no document defines for this protocol.
        case forbidden
        /// 5000 and above, of which §7.4.2 says nothing.
        case undefined
    }

    /// Whether a Close frame may have it (§7.4.1, §7.4.2, and IANA's registry for 1012 to 1014).
    package var permission: Permission {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: .permitted
        case 5000...: .undefined
        default: .forbidden
        }
    }

    /// `1002 (protocol error)`, or the number alone.
    package var description: String {
        guard let name = Self.names[rawValue] else { return String(rawValue) }
        return "\(rawValue) (\(name))"
    }
}
