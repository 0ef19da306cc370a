/// A deliberate fault over HTTP/2.
package enum HTTP2Fault: Sendable, Hashable, CaseIterable {
    /// Acknowledges no SETTINGS (RFC 9113 §6.5.3).
    case noSettingsAcknowledgement
    /// Acknowledges no PING (RFC 9113 §6.7).
    case noPingAcknowledgement
    /// Ignores the stream's window when it sends content (RFC 9113 §6.9.1).
    case overrunsStreamWindow
    /// Ignores the connection's window when it sends content (RFC 9113 §6.9.1).
    case overrunsConnectionWindow
    /// Writes names of fields with upper-case letters (RFC 9113 §8.2.1).
    case upperCaseNames
    /// Sends Connection (RFC 9113 §8.2.2).
    case connectionField
    /// Leaves `:path` out (RFC 9113 §8.3.1).
    case noPath
    /// Sends `:path` after the other fields (RFC 9113 §8.3).
    case pathLast
    /// Opens streams on a connection whose server sent GOAWAY (RFC 9113 §6.8).
    case streamsAfterGoAway
    /// Repeats requests that the server may have processed, whatever their method (RFC 9113 §8.7).
    case repeatsProcessed
    /// Never repeats a request that the server refused without processing it.
    case neverRepeatsRefused
    /// Ignores RST_STREAM (RFC 9113 §6.4).
    case ignoresReset
    /// Opens streams with even numbers (RFC 9113 §5.1.1).
    case evenStreams
    /// Cancels a load without RST_STREAM.
    case cancelsWithoutReset
    /// Delivers a 421 without sending the request on another connection (RFC 9110 §15.5.20).
    case ignoresMisdirection
    /// Sends a Content-Length that is one byte too long (RFC 9113 §8.1.1).
    case wrongContentLength
    /// Uses a connection for every host, whatever its address and the certificate are (RFC 9113 §9.1.1).
    case sharesWithEveryName
    /// Sends no SETTINGS after the preface (RFC 9113 §3.4).
    case noSettings
    /// Acknowledges acknowledgements of PING (RFC 9113 §6.7).
    case answersPingAcknowledgements
    /// Opens streams beyond the server's SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113 §5.1.2).
    case tooManyStreams
    /// Sends frames longer than the server's SETTINGS_MAX_FRAME_SIZE (RFC 9113 §4.2).
    case framesTooLong
    /// Keeps the size of its HPACK table whatever SETTINGS_HEADER_TABLE_SIZE is (RFC 7541 §4.2).
    case tableTooLarge
    /// Sends TE with any value (RFC 9113 §8.2.2).
    case anyTE
    /// Repeats requests whose stream was reset although they may have been processed (RFC 9113 §8.7).
    case repeatsReset
    /// Sends no WINDOW_UPDATE (RFC 9113 §6.9).
    case noWindowUpdates
    /// Sends no WINDOW_UPDATE for padding (RFC 9113 §6.9.1).
    case forgetsPadding
    /// Delivers content whose length differs from Content-Length (RFC 9113 §8.1.1).
    case uncheckedLength
    /// Delivers replies with malformed field sections (RFC 9113 §8.1.1).
    case deliversMalformed
    /// Continues to use a connection after a connection error (RFC 9113 §5.4.1).
    case goesOnAfterErrors
    /// Closes a connection after a connection error without GOAWAY (RFC 9113 §5.4.1).
    case noGoAway
    /// Accepts pushed responses, which its SETTINGS disable (RFC 9113 §8.4).
    case takesPush
    /// Treats frames of unknown types as errors (RFC 9113 §5.5).
    case refusesUnknownFrames
    /// Reports HTTP/1.1 in the metrics of every load.
    case wrongMetrics

    /// The fault in the field sections of requests; nil for another one.
    var ofFields: FieldsFault? {
        switch self {
        case .upperCaseNames: .upperCaseNames
        case .connectionField: .connectionField
        case .noPath: .noPath
        case .pathLast: .pathLast
        case .wrongContentLength: .wrongContentLength
        case .anyTE: .anyTE
        default: nil
        }
    }
}
