internal import ProctorHTTP

extension HTTP3Violation {
    /// One name for each violation; the raw values never change, since fixtures and journals contain them.
    package enum Kind: String, Sendable, CaseIterable {
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
    }

    /// What the specification says of a kind.
    struct Row {
        let section: String
        let code: HTTP3Code
        let scope: Scope
        let sentence: String

        init(_ section: String, _ code: HTTP3Code, _ scope: Scope, _ sentence: String) {
            self.section = section
            self.code = code
            self.scope = scope
            self.sentence = sentence
        }

        /// A malformed message (RFC 9114 §4.1.2).
        static func message(_ section: String, _ sentence: String) -> Row {
            Row(section, .messageError, .stream, sentence)
        }

        static func flood(_ sentence: String) -> Row {
            Row("RFC 9114 §10.5", .excessiveLoad, .connection, sentence)
        }
    }
}

extension HTTP3Violation.Kind {
    var row: HTTP3Violation.Row {
        switch self {
        case .serverBidirectionalStream:
            .init("RFC 9114 §6.1", .streamCreationError, .connection, "a server opens no bidirectional stream")
        case .criticalStreamTwice:
            .init(
                "RFC 9114 §6.2.1", .streamCreationError, .connection,
                "each end has one control stream, one encoder stream and one decoder stream")
        case .criticalStreamClosed:
            .init(
                "RFC 9114 §6.2.1", .closedCriticalStream, .connection,
                "control, encoder and decoder streams stay open as long as the connection")
        case .pushStreamByClient:
            .init("RFC 9114 §6.2.2", .streamCreationError, .connection, "only a server opens push streams")
        case .missingSettings:
            .init("RFC 9114 §6.2.1", .missingSettings, .connection, "the first frame of a control stream is SETTINGS")
        case .settingsTwice:
            .init("RFC 9114 §7.2.4", .frameUnexpected, .connection, "an end sends SETTINGS once")
        case .frameOnWrongStream:
            .init(
                "RFC 9114 §7", .frameUnexpected, .connection,
                "DATA and HEADERS stand on request and push streams, PUSH_PROMISE on request streams, and all others on the "
                    + "control stream")
        case .frameByWrongEnd:
            .init(
                "RFC 9114 §7.2", .frameUnexpected, .connection,
                "MAX_PUSH_ID and PRIORITY_UPDATE come from clients, and PUSH_PROMISE from servers")
        case .forbiddenFrame:
            .init(
                "RFC 9114 §7.2.8", .frameUnexpected, .connection,
                "the frame types 0x02, 0x06, 0x08 and 0x09, which HTTP/2 has, do not come")
        case .frameCut:
            .init("RFC 9114 §7.1", .frameError, .connection, "a stream does not end within a frame")
        case .wrongLength:
            .init("RFC 9114 §7.1", .frameError, .connection, "the payload is as long as its fields")
        case .frameTooLong:
            .flood("no frame but DATA is longer than the receiver can keep")
        case .forbiddenSetting:
            .init(
                "RFC 9114 §7.2.4.1", .settingsError, .connection,
                "the identifiers 0x00 and 0x02 to 0x05, which HTTP/2 has, do not come")
        case .settingRepeated:
            .init("RFC 9114 §7.2.4", .settingsError, .connection, "each identifier comes once")
        case .badEnableConnectProtocol:
            .init("RFC 9220 §3", .settingsError, .connection, "ENABLE_CONNECT_PROTOCOL is 0 or 1")
        case .badDatagramSetting:
            .init("RFC 9297 §2.1.1", .settingsError, .connection, "H3_DATAGRAM is 0 or 1")
        case .goAwayNotRequest:
            .init(
                "RFC 9114 §7.2.6", .idError, .connection,
                "a server's GOAWAY names a bidirectional stream of the client's: 0, 4, 8 …")
        case .goAwayHigher:
            .init("RFC 9114 §5.2", .idError, .connection, "a later GOAWAY names no higher identifier")
        case .maxPushLower:
            .init("RFC 9114 §7.2.7", .idError, .connection, "a later MAX_PUSH_ID names no lower identifier")
        case .pushNotPermitted:
            .init(
                "RFC 9114 §4.6", .idError, .connection,
                "a server pushes nothing beyond the client's MAX_PUSH_ID, and nothing before it")
        case .pushStreamRepeated:
            .init("RFC 9114 §4.6", .idError, .connection, "each push has one stream")
        case .promiseDiffers:
            .init(
                "RFC 9114 §7.2.5", .generalProtocolError, .connection,
                "promises of one push have the same fields in the same order")
        case .cancelUnknownPush:
            .init(
                "RFC 9114 §7.2.3", .idError, .connection,
                "CANCEL_PUSH names a push that was promised, or that MAX_PUSH_ID permits")
        case .badPriorityElement:
            .init("RFC 9218 §7.2", .idError, .connection, "PRIORITY_UPDATE names a request stream, or a promised push")
        case .unsafePush:
            .message("RFC 9114 §4.6", "a promised request has a safe method and no content")
        case .dataBeforeHead:
            .init("RFC 9114 §4.1", .frameUnexpected, .connection, "DATA follows the HEADERS of a message")
        case .frameBehindTrailers:
            .init("RFC 9114 §4.1", .frameUnexpected, .connection, "no HEADERS and no DATA follow trailers")
        case .headersInTunnel:
            .init(
                "RFC 9114 §4.4", .frameUnexpected, .connection,
                "behind CONNECT and its reply come DATA frames and nothing else")
        case .requestIncomplete:
            .init("RFC 9114 §4.1", .requestIncomplete, .stream, "a request stream does not end before its HEADERS")
        case .endWithoutHead:
            .message("RFC 9114 §4.1", "a stream does not end before a final response")
        case .contentNotAllowed:
            .message("RFC 9114 §4.1", "a response to HEAD, and one with 204 or 304, has no content")
        case .contentLengthDiffers:
            .message("RFC 9114 §4.1.2", "Content-Length is the sum of all DATA")
        case .fieldSectionTooLong:
            .init(
                "RFC 9114 §4.2.2", .excessiveLoad, .stream,
                "a field section is no longer than the receiver's SETTINGS_MAX_FIELD_SECTION_SIZE")
        case .pseudoFieldMissing:
            .message(
                "RFC 9114 §4.3",
                "a request has :method, :scheme and :path (CONNECT :method and :authority), a response has :status")
        case .authorityMissing:
            .message("RFC 9114 §4.3.1", "a request of http or https has :authority or Host, which is not empty")
        case .pseudoFieldTwice:
            .message("RFC 9114 §4.3", "a pseudo-field comes once")
        case .pseudoFieldUnknown:
            .message("RFC 9114 §4.3", "only pseudo-fields that are defined for the message come")
        case .pseudoFieldMisplaced:
            .message("RFC 9114 §4.3", "pseudo-fields come before all other fields")
        case .pseudoFieldInTrailers:
            .message("RFC 9114 §4.3", "trailers have no pseudo-fields")
        case .badPseudoField:
            .message("RFC 9114 §4.3.1", "the value of a pseudo-field has its form")
        case .upperCaseName:
            .message("RFC 9114 §4.2", "field names are in lower case")
        case .badFieldName:
            .message("RFC 9114 §4.2", "a field name is a token")
        case .badFieldValue:
            .message("RFC 9114 §10.3", "a field value has no NUL, CR or LF, and no blank at its ends")
        case .connectionSpecificField:
            .message(
                "RFC 9114 §4.2",
                "Connection, Keep-Alive, Proxy-Connection, Transfer-Encoding and Upgrade do not come")
        case .badTE:
            .message("RFC 9114 §4.2", "the value of TE is trailers")
        case .hostDiffersFromAuthority:
            .message("RFC 9114 §4.3.1", "Host, where it comes, names the same as :authority")
        case .connectWithExtraFields:
            .message("RFC 9114 §4.4", "CONNECT has neither :scheme nor :path")
        case .protocolNotEnabled:
            .message("RFC 9220 §3", ":protocol comes where the server set ENABLE_CONNECT_PROTOCOL to 1")
        case .decompressionFailed:
            .init("RFC 9204 §2.2", .decompressionFailed, .connection, "a field section can be decoded")
        case .tooManyBlockedStreams:
            .init(
                "RFC 9204 §2.1.2", .decompressionFailed, .connection,
                "no more streams wait for insertions than the receiver's QPACK_BLOCKED_STREAMS")
        case .insertCountTooLarge:
            .init(
                "RFC 9204 §4.5.1.1", .decompressionFailed, .none,
                "the Required Insert Count is that of the newest field which the section uses")
        case .encoderStreamError:
            .init("RFC 9204 §4.3", .encoderStreamError, .connection, "instructions of the encoder can be carried out")
        case .decoderStreamError:
            .init("RFC 9204 §4.4", .decoderStreamError, .connection, "instructions of the decoder fit what was sent")
        case .emptyFrameFlood:
            .flood("frames that mean nothing are few: DATA without content, and frames of unknown types")
        case .streamFlood:
            .flood("streams of unknown types are few")
        case .resetFlood:
            .flood("streams that are reset are not many more than those that end")
        case .settingsFlood:
            .flood("frames of the control stream are not many more than messages")
        case .promiseFlood:
            .flood("promised pushes are few")
        case .blockedFlood:
            .flood("what follows a field section that waits for insertions is short")
        }
    }

    init(_ fault: FieldSectionFault.Kind) {
        self =
            switch fault {
            case .pseudoFieldMissing: .pseudoFieldMissing
            case .pseudoFieldTwice: .pseudoFieldTwice
            case .pseudoFieldUnknown: .pseudoFieldUnknown
            case .pseudoFieldMisplaced: .pseudoFieldMisplaced
            case .pseudoFieldInTrailers: .pseudoFieldInTrailers
            case .badPseudoField: .badPseudoField
            case .protocolNotEnabled: .protocolNotEnabled
            case .connectWithExtraFields: .connectWithExtraFields
            case .hostDiffersFromAuthority: .hostDiffersFromAuthority
            case .upperCaseName: .upperCaseName
            case .badFieldName: .badFieldName
            case .badFieldValue: .badFieldValue
            case .connectionSpecificField: .connectionSpecificField
            case .badTE: .badTE
            case .contentLengthDiffers: .contentLengthDiffers
            }
    }
}
