internal import ProctorBase

/// Why a stream or a connection ends (RFC 9113 §7); numbers without a name are codes that are unknown here.
package struct ErrorCode: NamedNumber {
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

    package static let names: [UInt32: String] = [
        0x00: "NO_ERROR", 0x01: "PROTOCOL_ERROR", 0x02: "INTERNAL_ERROR", 0x03: "FLOW_CONTROL_ERROR",
        0x04: "SETTINGS_TIMEOUT", 0x05: "STREAM_CLOSED", 0x06: "FRAME_SIZE_ERROR", 0x07: "REFUSED_STREAM",
        0x08: "CANCEL", 0x09: "COMPRESSION_ERROR", 0x0A: "CONNECT_ERROR", 0x0B: "ENHANCE_YOUR_CALM",
        0x0C: "INADEQUATE_SECURITY", 0x0D: "HTTP_1_1_REQUIRED",
    ]
}
