internal import ProctorBase

/// Why a stream or a connection ends (RFC 9114 §8.1, RFC 9204 §6, RFC 9297 §5.2); numbers without a name are unknown.
package struct HTTP3Code: NamedNumber {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let noError = HTTP3Code(rawValue: 0x100)
    package static let generalProtocolError = HTTP3Code(rawValue: 0x101)
    package static let internalError = HTTP3Code(rawValue: 0x102)
    package static let streamCreationError = HTTP3Code(rawValue: 0x103)
    package static let closedCriticalStream = HTTP3Code(rawValue: 0x104)
    package static let frameUnexpected = HTTP3Code(rawValue: 0x105)
    package static let frameError = HTTP3Code(rawValue: 0x106)
    package static let excessiveLoad = HTTP3Code(rawValue: 0x107)
    package static let idError = HTTP3Code(rawValue: 0x108)
    package static let settingsError = HTTP3Code(rawValue: 0x109)
    package static let missingSettings = HTTP3Code(rawValue: 0x10A)
    package static let requestRejected = HTTP3Code(rawValue: 0x10B)
    package static let requestCancelled = HTTP3Code(rawValue: 0x10C)
    package static let requestIncomplete = HTTP3Code(rawValue: 0x10D)
    package static let messageError = HTTP3Code(rawValue: 0x10E)
    package static let connectError = HTTP3Code(rawValue: 0x10F)
    package static let versionFallback = HTTP3Code(rawValue: 0x110)
    package static let decompressionFailed = HTTP3Code(rawValue: 0x200)
    package static let encoderStreamError = HTTP3Code(rawValue: 0x201)
    package static let decoderStreamError = HTTP3Code(rawValue: 0x202)

    package static let names: [UInt64: String] = [
        0x33: "H3_DATAGRAM_ERROR", 0x100: "H3_NO_ERROR", 0x101: "H3_GENERAL_PROTOCOL_ERROR", 0x102: "H3_INTERNAL_ERROR",
        0x103: "H3_STREAM_CREATION_ERROR", 0x104: "H3_CLOSED_CRITICAL_STREAM", 0x105: "H3_FRAME_UNEXPECTED",
        0x106: "H3_FRAME_ERROR", 0x107: "H3_EXCESSIVE_LOAD", 0x108: "H3_ID_ERROR", 0x109: "H3_SETTINGS_ERROR",
        0x10A: "H3_MISSING_SETTINGS", 0x10B: "H3_REQUEST_REJECTED", 0x10C: "H3_REQUEST_CANCELLED",
        0x10D: "H3_REQUEST_INCOMPLETE", 0x10E: "H3_MESSAGE_ERROR", 0x10F: "H3_CONNECT_ERROR",
        0x110: "H3_VERSION_FALLBACK", 0x200: "QPACK_DECOMPRESSION_FAILED", 0x201: "QPACK_ENCODER_STREAM_ERROR",
        0x202: "QPACK_DECODER_STREAM_ERROR",
    ]
}
