extension HTTP2Violation {
    /// One name for each violation; the raw values never change, since fixtures and journals contain them.
    package enum Kind: String, Sendable, CaseIterable {
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
    }

    /// What the specification says of a kind.
    struct Row {
        let section: String
        let code: ErrorCode
        /// If a kind can be a stream error or a connection error, the code that finds it decides.
        let scope: Scope
        let sentence: String

        init(_ section: String, _ code: ErrorCode, _ scope: Scope, _ sentence: String) {
            self.section = section
            self.code = code
            self.scope = scope
            self.sentence = sentence
        }
    }
}

extension HTTP2Violation.Kind {
    var row: HTTP2Violation.Row {
        switch self {
        case .badPreface:
            .init(
                "RFC 9113 §3.4", .protocolError, .connection,
                "a client begins with the 24 bytes of the connection preface")
        case .firstFrameNotSettings:
            .init("RFC 9113 §3.4", .protocolError, .connection, "the first frame of a connection is SETTINGS")
        case .frameTooLong:
            .init(
                "RFC 9113 §4.2", .frameSizeError, .connection,
                "no frame is longer than the receiver's SETTINGS_MAX_FRAME_SIZE")
        case .wrongLength:
            .init("RFC 9113 §4.2", .frameSizeError, .connection, "the payload has the length that the type demands")
        case .missingStream:
            .init("RFC 9113 §4.1", .protocolError, .connection, "frames of this type belong to a stream, not to 0")
        case .unwantedStream:
            .init(
                "RFC 9113 §4.1", .protocolError, .connection, "frames of this type belong to the connection, stream 0")
        case .paddingTooLong:
            .init("RFC 9113 §6.1", .protocolError, .connection, "the padding is shorter than the payload")
        case .paddingNotZero:
            .init("RFC 9113 §6.1", .protocolError, .none, "each byte of padding is 0")
        case .reservedBit:
            .init("RFC 9113 §4.1", .protocolError, .none, "the bit before the stream is 0")
        case .undefinedFlag:
            .init("RFC 9113 §4.1", .protocolError, .none, "flags that the type does not define are 0")
        case .windowIncrementZero:
            .init("RFC 9113 §6.9", .protocolError, .stream, "a window grows by 1 at least")
        case .promisedStreamZero:
            .init("RFC 9113 §6.6", .protocolError, .connection, "the promised stream is not 0")
        case .prioritizedStreamZero:
            .init("RFC 9218 §7.1", .protocolError, .connection, "the prioritized stream is not 0")
        case .badEnablePush:
            .init("RFC 9113 §6.5.2", .protocolError, .connection, "ENABLE_PUSH is 0 or 1, and 0 where a server says it")
        case .badInitialWindowSize:
            .init("RFC 9113 §6.5.2", .flowControlError, .connection, "INITIAL_WINDOW_SIZE is 2147483647 at most")
        case .badMaxFrameSize:
            .init("RFC 9113 §6.5.2", .protocolError, .connection, "MAX_FRAME_SIZE is from 16384 to 16777215")
        case .badEnableConnectProtocol:
            .init("RFC 8441 §3", .protocolError, .connection, "ENABLE_CONNECT_PROTOCOL is 0 or 1")
        case .connectProtocolTakenBack:
            .init("RFC 8441 §3", .protocolError, .connection, "ENABLE_CONNECT_PROTOCOL stays 1 once it is 1")
        case .badNoPriorities:
            .init("RFC 9218 §2.1", .protocolError, .connection, "NO_RFC7540_PRIORITIES is 0 or 1")
        case .noPrioritiesChanged:
            .init(
                "RFC 9218 §2.1", .protocolError, .connection,
                "NO_RFC7540_PRIORITIES keeps the value of the first SETTINGS")
        case .unexpectedSettingsAck:
            .init("RFC 9113 §6.5.3", .protocolError, .none, "an acknowledgement answers SETTINGS that were sent")
        case .settingsNotAcknowledged:
            .init("RFC 9113 §6.5.3", .settingsTimeout, .connection, "SETTINGS are acknowledged")
        case .fieldBlockInterrupted:
            .init(
                "RFC 9113 §6.10", .protocolError, .connection,
                "between HEADERS or PUSH_PROMISE without END_HEADERS and its CONTINUATION frames comes no other frame")
        case .continuationWithoutHeaders:
            .init(
                "RFC 9113 §6.10", .protocolError, .connection,
                "CONTINUATION follows HEADERS, PUSH_PROMISE or CONTINUATION without END_HEADERS")
        case .compressionError:
            .init("RFC 9113 §4.3", .compressionError, .connection, "a field block can be decoded (RFC 7541)")
        case .headerListTooLong:
            .init(
                "RFC 9113 §10.5.1", .enhanceYourCalm, .stream,
                "a field section is no longer than the receiver's SETTINGS_MAX_HEADER_LIST_SIZE")
        case .frameOnIdleStream:
            .init(
                "RFC 9113 §5.1", .protocolError, .connection,
                "on an idle stream come HEADERS or PRIORITY and nothing else")
        case .frameOnHalfClosedStream:
            .init(
                "RFC 9113 §5.1", .streamClosed, .stream,
                "behind END_STREAM come WINDOW_UPDATE, PRIORITY or RST_STREAM and nothing else")
        case .frameOnClosedStream:
            .init("RFC 9113 §5.1", .streamClosed, .connection, "on a closed stream comes PRIORITY and nothing else")
        case .frameOnReservedStream:
            .init(
                "RFC 9113 §5.1", .protocolError, .connection,
                "on a stream that is reserved by a push come HEADERS, RST_STREAM or PRIORITY and nothing else")
        case .wrongStreamParity:
            .init(
                "RFC 9113 §5.1.1", .protocolError, .connection,
                "a client opens streams of odd numbers, a server of even ones")
        case .streamNumberNotHigher:
            .init(
                "RFC 9113 §5.1.1", .protocolError, .connection,
                "a new stream has a higher number than all that its side opened or reserved before")
        case .tooManyStreams:
            .init(
                "RFC 9113 §5.1.2", .refusedStream, .stream,
                "no more streams are open than the receiver's SETTINGS_MAX_CONCURRENT_STREAMS")
        case .pushByClient:
            .init("RFC 9113 §8.4", .protocolError, .connection, "a client sends no PUSH_PROMISE")
        case .pushNotEnabled:
            .init(
                "RFC 9113 §6.6", .protocolError, .connection,
                "no PUSH_PROMISE comes where the receiver set ENABLE_PUSH to 0 and this was acknowledged")
        case .pushOnWrongStream:
            .init(
                "RFC 9113 §6.6", .protocolError, .connection,
                "a push is promised on a stream that the server can still send on")
        case .unsafePush:
            .init(
                "RFC 9113 §8.4", .protocolError, .stream,
                "a promised request has a safe method and no content")
        case .priorityUpdateByServer:
            .init(
                "RFC 9218 §7.1", .protocolError, .connection, "only clients send PRIORITY_UPDATE")
        case .streamAfterGoAway:
            .init("RFC 9113 §6.8", .refusedStream, .none, "behind the receiver's GOAWAY no stream is opened")
        case .goAwayStreamHigher:
            .init("RFC 9113 §6.8", .protocolError, .connection, "a later GOAWAY names no higher last stream")
        case .connectionWindowExceeded:
            .init("RFC 9113 §6.9.1", .flowControlError, .connection, "DATA fits into the window of the connection")
        case .streamWindowExceeded:
            .init("RFC 9113 §6.9.1", .flowControlError, .stream, "DATA fits into the window of its stream")
        case .windowTooLarge:
            .init("RFC 9113 §6.9.1", .flowControlError, .stream, "a window is 2147483647 at most")
        case .windowTooLargeBySettings:
            .init(
                "RFC 9113 §6.9.2", .flowControlError, .connection,
                "INITIAL_WINDOW_SIZE makes no window larger than 2147483647")
        case .pseudoFieldMissing:
            .init(
                "RFC 9113 §8.3", .protocolError, .stream,
                "a request has :method, :scheme and :path (CONNECT :method and :authority), a response has :status")
        case .pseudoFieldTwice:
            .init("RFC 9113 §8.3", .protocolError, .stream, "a pseudo-field comes once")
        case .pseudoFieldUnknown:
            .init("RFC 9113 §8.3", .protocolError, .stream, "only pseudo-fields that are defined for the message come")
        case .pseudoFieldMisplaced:
            .init("RFC 9113 §8.3", .protocolError, .stream, "pseudo-fields come before all other fields")
        case .pseudoFieldInTrailers:
            .init("RFC 9113 §8.1", .protocolError, .stream, "trailers have no pseudo-fields")
        case .badPseudoField:
            .init("RFC 9113 §8.3.1", .protocolError, .stream, "the value of a pseudo-field has its form")
        case .upperCaseName:
            .init("RFC 9113 §8.2.1", .protocolError, .stream, "field names are in lower case")
        case .badFieldName:
            .init("RFC 9113 §8.2.1", .protocolError, .stream, "a field name is a token")
        case .badFieldValue:
            .init(
                "RFC 9113 §8.2.1", .protocolError, .stream,
                "a field value has no NUL, CR or LF, and no blank at its ends")
        case .connectionSpecificField:
            .init(
                "RFC 9113 §8.2.2", .protocolError, .stream,
                "Connection, Keep-Alive, Proxy-Connection, Transfer-Encoding and Upgrade do not come")
        case .badTE:
            .init("RFC 9113 §8.2.2", .protocolError, .stream, "the value of TE is trailers")
        case .hostDiffersFromAuthority:
            .init("RFC 9113 §8.3.1", .protocolError, .stream, "Host, where it comes, names the same as :authority")
        case .contentLengthDiffers:
            .init("RFC 9113 §8.1.1", .protocolError, .stream, "Content-Length is the sum of all DATA")
        case .trailersWithoutEnd:
            .init("RFC 9113 §8.1", .protocolError, .stream, "HEADERS behind DATA end the stream")
        case .interimEndsStream:
            .init(
                "RFC 9113 §8.1", .protocolError, .stream, "an interim response does not end its stream")
        case .dataBeforeHead:
            .init(
                "RFC 9113 §8.1", .protocolError, .stream,
                "a response begins with HEADERS, and DATA follows the final one")
        case .endWithoutHead:
            .init(
                "RFC 9113 §8.1", .protocolError, .stream, "a stream does not end before a final response")
        case .contentNotAllowed:
            .init(
                "RFC 9110 §6.4.1", .protocolError, .stream,
                "a response to HEAD, and one with 204 or 304, has no content")
        case .headersInTunnel:
            .init(
                "RFC 9113 §8.5", .protocolError, .stream,
                "on a tunnel come DATA, RST_STREAM, WINDOW_UPDATE and PRIORITY alone")
        case .connectWithExtraFields:
            .init("RFC 9113 §8.5", .protocolError, .stream, "CONNECT has neither :scheme nor :path")
        case .protocolNotEnabled:
            .init(
                "RFC 8441 §4", .protocolError, .stream,
                ":protocol comes where the server set ENABLE_CONNECT_PROTOCOL to 1")
        case .resetFlood:
            .init("RFC 9113 §10.5", .enhanceYourCalm, .connection, "fewer streams are opened and reset at once")
        case .settingsFlood:
            .init("RFC 9113 §10.5", .enhanceYourCalm, .connection, "fewer SETTINGS come between other frames")
        case .pingFlood:
            .init("RFC 9113 §10.5", .enhanceYourCalm, .connection, "fewer PING come between other frames")
        case .emptyFrameFlood:
            .init("RFC 9113 §10.5", .enhanceYourCalm, .connection, "fewer frames without content come")
        case .continuationFlood:
            .init("RFC 9113 §10.5", .enhanceYourCalm, .connection, "a field block has fewer frames and bytes")
        case .windowUpdateFlood:
            .init("RFC 9113 §10.5", .enhanceYourCalm, .connection, "fewer WINDOW_UPDATE come between other frames")
        case .priorityFlood:
            .init("RFC 9113 §10.5", .enhanceYourCalm, .connection, "fewer frames about priorities come")
        }
    }
}
