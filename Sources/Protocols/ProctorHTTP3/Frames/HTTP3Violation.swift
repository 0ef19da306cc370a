package import ProctorBase
package import ProctorHTTP

/// A violation in what a peer sends on its streams, of RFC 9114, RFC 9204, RFC 9218, RFC 9220 or RFC 9297.
package typealias HTTP3Violation = StreamViolation<HTTP3ViolationKind>

package enum HTTP3ViolationKind: String, StreamViolationKind {
    package typealias Frame = HTTP3FrameType
    package typealias Code = HTTP3Code

    // Streams.
    case serverBidirectionalStream = "server-bidirectional-stream"
    case criticalStreamTwice = "critical-stream-twice"
    case criticalStreamClosed = "critical-stream-closed"
    case pushStreamByClient = "push-stream-by-client"

    // Frames and their places.
    case missingSettings = "missing-settings"
    case settingsTwice = "settings-twice"
    case frameOnWrongStream = "frame-on-wrong-stream"
    case frameByWrongEnd = "frame-by-wrong-end"
    case forbiddenFrame = "frame-of-http2"
    case frameCut = "frame-cut"
    case wrongLength = "wrong-length"
    case frameTooLong = "frame-too-long"

    // Settings.
    case forbiddenSetting = "setting-of-http2"
    case settingRepeated = "setting-repeated"
    case badEnableConnectProtocol = "bad-enable-connect-protocol"
    case badDatagramSetting = "bad-datagram-setting"

    // Numbers of streams and of pushes.
    case goAwayNotRequest = "goaway-not-request"
    case goAwayHigher = "goaway-higher"
    case maxPushLower = "max-push-lower"
    case pushNotPermitted = "push-not-permitted"
    case pushStreamRepeated = "push-stream-repeated"
    case promiseDiffers = "promise-differs"
    case cancelUnknownPush = "cancel-unknown-push"
    case badPriorityElement = "bad-priority-element"
    case unsafePush = "unsafe-push"

    // Messages: the order of frames.
    case dataBeforeHead = "data-before-head"
    case frameBehindTrailers = "frame-behind-trailers"
    case headersInTunnel = "headers-in-tunnel"
    case requestIncomplete = "request-incomplete"
    case endWithoutHead = "end-without-head"
    case contentNotAllowed = "content-not-allowed"
    case contentLengthDiffers = "content-length-differs"

    // Messages: fields.
    case fieldSectionTooLong = "field-section-too-long"
    case pseudoFieldMissing = "pseudo-field-missing"
    case authorityMissing = "authority-missing"
    case pseudoFieldTwice = "pseudo-field-twice"
    case pseudoFieldUnknown = "pseudo-field-unknown"
    case pseudoFieldMisplaced = "pseudo-field-misplaced"
    case pseudoFieldInTrailers = "pseudo-field-in-trailers"
    case badPseudoField = "bad-pseudo-field"
    case upperCaseName = "upper-case-name"
    case badFieldName = "bad-field-name"
    case badFieldValue = "bad-field-value"
    case connectionSpecificField = "connection-specific-field"
    case badTE = "bad-te"
    case hostDiffersFromAuthority = "host-differs-from-authority"
    case connectWithExtraFields = "connect-with-extra-fields"
    case protocolNotEnabled = "protocol-not-enabled"

    // QPACK.
    case decompressionFailed = "decompression-failed"
    case tooManyBlockedStreams = "too-many-blocked-streams"
    case insertCountTooLarge = "insert-count-too-large"
    case encoderStreamError = "encoder-stream-error"
    case decoderStreamError = "decoder-stream-error"

    // Floods; each bound is our own (RFC 9114 §10.5).
    case emptyFrameFlood = "empty-frame-flood"
    case streamFlood = "stream-flood"
    case resetFlood = "reset-flood"
    case settingsFlood = "settings-flood"
    case promiseFlood = "promise-flood"
    case blockedFlood = "blocked-flood"

    package static let table = ContainedTable<Self, StreamViolationRow<HTTP3Code>>("http3-violations") {
        StreamViolationRow($0)
    }

    package static func place(of stream: UInt64) -> String? { "on stream \(stream)" }
}
