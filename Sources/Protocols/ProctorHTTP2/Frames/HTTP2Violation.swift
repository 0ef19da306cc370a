package import ProctorBase
package import ProctorHTTP

/// A violation in a peer's frames of RFC 9113, RFC 7541, RFC 8441 or RFC 9218.
package typealias HTTP2Violation = StreamViolation<HTTP2ViolationKind>

package enum HTTP2ViolationKind: String, StreamViolationKind {
    package typealias Frame = FrameType
    package typealias Code = ErrorCode

    // The beginning of a connection.
    case badPreface = "bad-preface"
    case firstFrameNotSettings = "first-frame-not-settings"

    // Single frames.
    case frameTooLong = "frame-too-long"
    case wrongLength = "wrong-length"
    case missingStream = "missing-stream"
    case unwantedStream = "unwanted-stream"
    case paddingTooLong = "padding-too-long"
    case paddingNotZero = "padding-not-zero"
    case reservedBit = "reserved-bit"
    case undefinedFlag = "undefined-flag"
    case windowIncrementZero = "window-increment-zero"
    case promisedStreamZero = "promised-stream-zero"
    case prioritizedStreamZero = "prioritized-stream-zero"

    // Settings.
    case badEnablePush = "bad-enable-push"
    case badInitialWindowSize = "bad-initial-window-size"
    case badMaxFrameSize = "bad-max-frame-size"
    case badEnableConnectProtocol = "bad-enable-connect-protocol"
    case connectProtocolTakenBack = "connect-protocol-taken-back"
    case badNoPriorities = "bad-no-priorities"
    case noPrioritiesChanged = "no-priorities-changed"
    case unexpectedSettingsAck = "unexpected-settings-ack"
    case settingsNotAcknowledged = "settings-not-acknowledged"

    // Field blocks.
    case fieldBlockInterrupted = "field-block-interrupted"
    case continuationWithoutHeaders = "continuation-without-headers"
    case compressionError = "compression-error"
    case headerListTooLong = "header-list-too-long"

    // Streams.
    case frameOnIdleStream = "frame-on-idle-stream"
    case frameOnHalfClosedStream = "frame-on-half-closed-stream"
    case frameOnClosedStream = "frame-on-closed-stream"
    case frameOnReservedStream = "frame-on-reserved-stream"
    case wrongStreamParity = "wrong-stream-parity"
    case streamNumberNotHigher = "stream-number-not-higher"
    case tooManyStreams = "too-many-streams"
    case pushByClient = "push-by-client"
    case pushNotEnabled = "push-not-enabled"
    case pushOnWrongStream = "push-on-wrong-stream"
    case unsafePush = "unsafe-push"
    case priorityUpdateByServer = "priority-update-by-server"
    case streamAfterGoAway = "stream-after-goaway"
    case goAwayStreamHigher = "goaway-stream-higher"

    // Flow control.
    case connectionWindowExceeded = "connection-window-exceeded"
    case streamWindowExceeded = "stream-window-exceeded"
    case windowTooLarge = "window-too-large"
    case windowTooLargeBySettings = "window-too-large-by-settings"

    // Messages.
    case pseudoFieldMissing = "pseudo-field-missing"
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
    case contentLengthDiffers = "content-length-differs"
    case trailersWithoutEnd = "trailers-without-end"
    case interimEndsStream = "interim-ends-stream"
    case dataBeforeHead = "data-before-head"
    case endWithoutHead = "end-without-head"
    case contentNotAllowed = "content-not-allowed"
    case headersInTunnel = "headers-in-tunnel"
    case connectWithExtraFields = "connect-with-extra-fields"
    case protocolNotEnabled = "protocol-not-enabled"

    // Floods; each bound is our own (RFC 9113 §10.5).
    case resetFlood = "reset-flood"
    case settingsFlood = "settings-flood"
    case pingFlood = "ping-flood"
    case emptyFrameFlood = "empty-frame-flood"
    case continuationFlood = "continuation-flood"
    case windowUpdateFlood = "window-update-flood"
    case priorityFlood = "priority-flood"

    package static let table = ContainedTable<Self, StreamViolationRow<ErrorCode>>("http2-violations") {
        StreamViolationRow($0)
    }

    package static func place(of stream: UInt32) -> String? { stream == 0 ? nil : "on stream \(stream)" }
}
