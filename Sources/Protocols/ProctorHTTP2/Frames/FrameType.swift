internal import ProctorBase

/// The type of a frame; numbers without a name are unknown types, which a receiver ignores (RFC 9113 §5.5).
package struct FrameType: NamedNumber {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let data = FrameType(rawValue: 0x00)
    package static let headers = FrameType(rawValue: 0x01)
    package static let priority = FrameType(rawValue: 0x02)
    package static let resetStream = FrameType(rawValue: 0x03)
    package static let settings = FrameType(rawValue: 0x04)
    package static let pushPromise = FrameType(rawValue: 0x05)
    package static let ping = FrameType(rawValue: 0x06)
    package static let goAway = FrameType(rawValue: 0x07)
    package static let windowUpdate = FrameType(rawValue: 0x08)
    package static let continuation = FrameType(rawValue: 0x09)
    /// RFC 9218 §7.1.
    package static let priorityUpdate = FrameType(rawValue: 0x10)

    /// IANA's names of the types that are read here.
    package static let names: [UInt8: String] = [
        0x00: "DATA", 0x01: "HEADERS", 0x02: "PRIORITY", 0x03: "RST_STREAM", 0x04: "SETTINGS", 0x05: "PUSH_PROMISE",
        0x06: "PING", 0x07: "GOAWAY", 0x08: "WINDOW_UPDATE", 0x09: "CONTINUATION", 0x10: "PRIORITY_UPDATE",
    ]

    /// The name in IANA's registry, or `type 0x2a`.
    package var description: String {
        Self.names[rawValue] ?? "type 0x\(rawValue.hexadecimal())"
    }

    /// The flags that the type defines; others are unused and stay 0 (RFC 9113 §4.1).
    var definedFlags: FrameFlags {
        switch self {
        case .data: [.endStream, .padded]
        case .headers: [.endStream, .endHeaders, .padded, .priority]
        case .settings, .ping: [.ack]
        case .pushPromise: [.endHeaders, .padded]
        case .continuation: [.endHeaders]
        case .priority, .resetStream, .goAway, .windowUpdate, .priorityUpdate: []
        default: FrameFlags(rawValue: .max)
        }
    }
}

/// The flags of a frame; the meaning of a bit depends on the type (RFC 9113 §4.1).
package struct FrameFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// For SETTINGS and PING.
    package static let ack = FrameFlags(rawValue: 0x01)
    /// For DATA and HEADERS: the last frame of the stream in this direction.
    package static let endStream = FrameFlags(rawValue: 0x01)
    /// For HEADERS, PUSH_PROMISE and CONTINUATION: the field block ends here.
    package static let endHeaders = FrameFlags(rawValue: 0x04)
    /// For DATA, HEADERS and PUSH_PROMISE.
    package static let padded = FrameFlags(rawValue: 0x08)
    /// For HEADERS.
    package static let priority = FrameFlags(rawValue: 0x20)
}
