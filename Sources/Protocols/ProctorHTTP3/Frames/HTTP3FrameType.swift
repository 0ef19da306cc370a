internal import ProctorBase

/// The type of a frame; numbers without a name are unknown types, which a receiver ignores (RFC 9114 §9).
package struct HTTP3FrameType: NamedNumber {
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

    /// Those of IANA, with `PUSH_` before the second PRIORITY_UPDATE.
    package static let names: [UInt64: String] = [
        0x00: "DATA", 0x01: "HEADERS", 0x03: "CANCEL_PUSH", 0x04: "SETTINGS", 0x05: "PUSH_PROMISE", 0x07: "GOAWAY",
        0x0D: "MAX_PUSH_ID", 0xF0700: "PRIORITY_UPDATE", 0xF0701: "PUSH_PRIORITY_UPDATE",
    ]

    package static let noun = "type "

    /// Whether the receiver knows the type; without a look into the names for the two that each message has.
    package var isKnown: Bool { rawValue <= 0x01 || Self.names[rawValue] != nil }

    /// Whether HTTP/2 has a frame of this number that HTTP/3 lacks: PRIORITY, PING, WINDOW_UPDATE or CONTINUATION (RFC
    /// 9114 §7.2.8).
    package var isForbidden: Bool { [0x02, 0x06, 0x08, 0x09].contains(rawValue) }
}

/// The type of a unidirectional stream (RFC 9114 §6.2, RFC 9204 §4.2); a receiver ignores streams of other types.
package struct HTTP3StreamType: NamedNumber {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let control = HTTP3StreamType(rawValue: 0x00)
    package static let push = HTTP3StreamType(rawValue: 0x01)
    package static let encoder = HTTP3StreamType(rawValue: 0x02)
    package static let decoder = HTTP3StreamType(rawValue: 0x03)

    package static let names: [UInt64: String] = [0x00: "control", 0x01: "push", 0x02: "encoder", 0x03: "decoder"]
    package static let noun = "type "
}
