/// The type of a frame; numbers without a name are unknown types, which a receiver ignores (RFC 9114 §9).
package struct HTTP3FrameType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let data = HTTP3FrameType(rawValue: 0x00)
    package static let headers = HTTP3FrameType(rawValue: 0x01)
    package static let cancelPush = HTTP3FrameType(rawValue: 0x03)
    package static let settings = HTTP3FrameType(rawValue: 0x04)
    package static let pushPromise = HTTP3FrameType(rawValue: 0x05)
    package static let goAway = HTTP3FrameType(rawValue: 0x07)
    package static let maxPushID = HTTP3FrameType(rawValue: 0x0D)
    /// The priority of a request (RFC 9218 §7.2).
    package static let priorityUpdate = HTTP3FrameType(rawValue: 0xF0700)
    /// The priority of a push (RFC 9218 §7.2).
    package static let pushPriorityUpdate = HTTP3FrameType(rawValue: 0xF0701)

    private static let known: [HTTP3FrameType] = [
        .data, .headers, .cancelPush, .settings, .pushPromise, .goAway, .maxPushID, .priorityUpdate,
        .pushPriorityUpdate,
    ]

    /// IANA's name, with `PUSH_` before the second PRIORITY_UPDATE; nil for an unknown type.
    package var name: String? {
        switch rawValue {
        case 0x00: "DATA"
        case 0x01: "HEADERS"
        case 0x03: "CANCEL_PUSH"
        case 0x04: "SETTINGS"
        case 0x05: "PUSH_PROMISE"
        case 0x07: "GOAWAY"
        case 0x0D: "MAX_PUSH_ID"
        case 0xF0700: "PRIORITY_UPDATE"
        case 0xF0701: "PUSH_PRIORITY_UPDATE"
        default: nil
        }
    }

    /// The name, or `type 0x2a`.
    package var description: String { name ?? "type 0x\(String(rawValue, radix: 16))" }

    /// The type of that name.
    package init?(named name: String) {
        guard let known = Self.known.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// Whether the receiver knows the type.
    package var isKnown: Bool { name != nil }

    /// Whether HTTP/2 has a frame of this number that HTTP/3 lacks: PRIORITY, PING, WINDOW_UPDATE or CONTINUATION (RFC
    /// 9114 §7.2.8).
    package var isForbidden: Bool { [0x02, 0x06, 0x08, 0x09].contains(rawValue) }
}

/// The type of a unidirectional stream (RFC 9114 §6.2, RFC 9204 §4.2); a receiver ignores streams of other types.
package struct HTTP3StreamType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let control = HTTP3StreamType(rawValue: 0x00)
    package static let push = HTTP3StreamType(rawValue: 0x01)
    package static let encoder = HTTP3StreamType(rawValue: 0x02)
    package static let decoder = HTTP3StreamType(rawValue: 0x03)

    private static let names = ["control", "push", "encoder", "decoder"]

    /// `control`, or `type 0x2a`.
    package var description: String {
        rawValue < Self.names.count ? Self.names[Int(rawValue)] : "type 0x\(String(rawValue, radix: 16))"
    }

    /// The type of that name.
    package init?(named name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt64(index))
    }
}
