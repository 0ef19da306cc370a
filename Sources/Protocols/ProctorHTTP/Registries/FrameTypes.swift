public import ProctorBase

// What each frame is compared with is public: across modules the compiler inlines and specialises nothing else.

/// The type of a frame of HTTP/2; a receiver ignores one without a name (RFC 9113 §5.5).
public struct FrameType: NamedNumber, Hashable, Sendable {
    /// The number in the frame.
    public let rawValue: UInt8

    /// Any number may stand in a frame.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Content (RFC 9113 §6.1).
    public static let data = FrameType(rawValue: 0x00)
    /// A field section (RFC 9113 §6.2).
    public static let headers = FrameType(rawValue: 0x01)
    package static let priority = FrameType(rawValue: 0x02)
    package static let resetStream = FrameType(rawValue: 0x03)
    /// Parameters of an end (RFC 9113 §6.5).
    public static let settings = FrameType(rawValue: 0x04)
    package static let pushPromise = FrameType(rawValue: 0x05)
    package static let ping = FrameType(rawValue: 0x06)
    package static let goAway = FrameType(rawValue: 0x07)
    package static let windowUpdate = FrameType(rawValue: 0x08)
    /// More of a field block (RFC 9113 §6.10).
    public static let continuation = FrameType(rawValue: 0x09)
    /// RFC 9218 §7.1.
    package static let priorityUpdate = FrameType(rawValue: 0x10)

    package static let names: [UInt8: String] = registeredNames("http2-frame")

    /// The name in IANA's registry, or `type 0x2a`.
    public var description: String {
        Self.names[rawValue] ?? "type 0x\(rawValue.hexadecimal())"
    }

    /// The flags that the type defines; others are unused and stay 0 (RFC 9113 §4.1).
    package var definedFlags: FrameFlags {
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

/// The flags of a frame of HTTP/2; the meaning of a bit depends on the type (RFC 9113 §4.1).
public struct FrameFlags: OptionSet, Hashable, Sendable {
    /// The byte of the frame.
    public let rawValue: UInt8

    /// Any bits may be set in a frame.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// For SETTINGS and PING.
    public static let ack = FrameFlags(rawValue: 0x01)
    /// For DATA and HEADERS: the last frame of the stream in this direction.
    public static let endStream = FrameFlags(rawValue: 0x01)
    /// For HEADERS, PUSH_PROMISE and CONTINUATION: the field block ends here.
    public static let endHeaders = FrameFlags(rawValue: 0x04)
    /// For DATA, HEADERS and PUSH_PROMISE.
    public static let padded = FrameFlags(rawValue: 0x08)
    /// For HEADERS.
    public static let priority = FrameFlags(rawValue: 0x20)
}

/// Lengths of frames of HTTP/2 in bytes.
package enum FrameLimits {
    /// The payload that every receiver must accept (RFC 9113 §4.2).
    package static let smallestMaximum = 1 << 14
    package static let largestMaximum = (1 << 24) - 1
}

/// The type of a frame of HTTP/3; a receiver ignores one without a name (RFC 9114 §9).
public struct HTTP3FrameType: NamedNumber, Hashable, Sendable {
    /// The number in the frame.
    public let rawValue: UInt64

    /// Any number may stand in a frame.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Content (RFC 9114 §7.2.1).
    public static let data = HTTP3FrameType(rawValue: 0x00)
    /// A field section (RFC 9114 §7.2.2).
    public static let headers = HTTP3FrameType(rawValue: 0x01)
    package static let cancelPush = HTTP3FrameType(rawValue: 0x03)
    package static let settings = HTTP3FrameType(rawValue: 0x04)
    package static let pushPromise = HTTP3FrameType(rawValue: 0x05)
    package static let goAway = HTTP3FrameType(rawValue: 0x07)
    package static let maxPushID = HTTP3FrameType(rawValue: 0x0D)
    /// The priority of a request (RFC 9218 §7.2).
    package static let priorityUpdate = HTTP3FrameType(rawValue: 0xF0700)
    /// The priority of a push (RFC 9218 §7.2).
    package static let pushPriorityUpdate = HTTP3FrameType(rawValue: 0xF0701)

    /// The names in IANA's registry, with `PUSH_` before the second PRIORITY_UPDATE.
    package static let names: [UInt64: String] = registeredNames("http3-frame")

    /// The name in IANA's registry, or `type 0xf0702`.
    public var description: String { Self.names[rawValue] ?? "type 0x\(String(rawValue, radix: 16))" }

    /// Whether the receiver knows the type; without a look into the names for the two that each message has.
    package var isKnown: Bool { rawValue <= 0x01 || Self.names[rawValue] != nil }

    /// Whether HTTP/2 has a frame of this number that HTTP/3 lacks: PRIORITY, PING, WINDOW_UPDATE or CONTINUATION (RFC
    /// 9114 §7.2.8).
    package var isForbidden: Bool { [0x02, 0x06, 0x08, 0x09].contains(rawValue) }
}

/// The type of a unidirectional stream of HTTP/3 (RFC 9114 §6.2, RFC 9204 §4.2); a receiver ignores streams of other types.
package struct HTTP3StreamType: NamedNumber {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let control = HTTP3StreamType(rawValue: 0x00)
    package static let push = HTTP3StreamType(rawValue: 0x01)
    package static let encoder = HTTP3StreamType(rawValue: 0x02)
    package static let decoder = HTTP3StreamType(rawValue: 0x03)

    package static let names: [UInt64: String] = registeredNames("http3-stream")
    package static let noun = "type "
}
