/// Why a stream or a connection ends (RFC 9113 §7); numbers without a name are codes that are unknown here.
package struct ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = ErrorCode(rawValue: 0x00)
    package static let protocolError = ErrorCode(rawValue: 0x01)
    package static let internalError = ErrorCode(rawValue: 0x02)
    package static let streamClosed = ErrorCode(rawValue: 0x05)
    package static let refusedStream = ErrorCode(rawValue: 0x07)
    package static let cancel = ErrorCode(rawValue: 0x08)
    package static let compressionError = ErrorCode(rawValue: 0x09)
    package static let connectError = ErrorCode(rawValue: 0x0A)
    package static let enhanceYourCalm = ErrorCode(rawValue: 0x0B)
    package static let http11Required = ErrorCode(rawValue: 0x0D)

    /// In the order of their numbers, without gaps.
    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// All codes with a name.
    package static let named: [ErrorCode] = names.indices.map { ErrorCode(rawValue: UInt32($0)) }

    /// The name in IANA's registry, or the number in hexadecimal: `0x2a`.
    package var description: String {
        rawValue < Self.names.count ? Self.names[Int(rawValue)] : "0x\(String(rawValue, radix: 16))"
    }

    /// The code of that name.
    package init?(named name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt32(index))
    }
}
