internal import ProctorBase

/// Why a stream or a connection of HTTP/2 ends (RFC 9113 §7).
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

    package static let names: [UInt32: String] = registeredNames("http2-error")
}

/// Why a stream or a connection of HTTP/3 ends (RFC 9114 §8.1, RFC 9204 §6, RFC 9297 §5.2).
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

    package static let names: [UInt64: String] = registeredNames("http3-error")
}
