/// A deliberate fault over HTTP/3.
package enum HTTP3Fault: Sendable, Hashable, CaseIterable {
    // MARK: What is sent on the control stream

    /// Begins the control stream with another frame than SETTINGS (RFC 9114 §6.2.1).
    case noSettings
    /// Sends SETTINGS twice (RFC 9114 §7.2.4).
    case settingsTwice
    /// Sends a parameter of HTTP/2 (RFC 9114 §7.2.4.1).
    case settingOfHTTP2
    /// Sends a parameter twice (RFC 9114 §7.2.4).
    case settingTwice
    /// Opens a second control stream (RFC 9114 §6.2.1).
    case controlTwice
    /// Ends the control stream (RFC 9114 §6.2.1).
    case endsControl
    /// Sends DATA on the control stream (RFC 9114 §7.2.1).
    case dataOnControl
    /// Sends a frame of HTTP/2 on the control stream (RFC 9114 §7.2.8).
    case frameOfHTTP2
    /// Lowers MAX_PUSH_ID (RFC 9114 §7.2.7).
    case lowersMaxPushID
    /// Cancels a push that nobody has promised (RFC 9114 §7.2.3).
    case cancelsUnknownPush
    /// Sends GOAWAY with a higher number than before (RFC 9114 §5.2).
    case raisesGoAway

    // MARK: What is sent on other streams of its own

    /// Opens a push stream (RFC 9114 §6.2.2).
    case pushStream
    /// Sends an Insert Count Increment of 0 (RFC 9204 §4.4.3).
    case incrementOfZero
    /// Sets a table larger than the server permits (RFC 9204 §4.3.1).
    case tableTooLarge

    // MARK: Requests

    /// Names a field that no table has (RFC 9204 §3.1).
    case unknownReference
    /// Writes names of fields with upper-case letters (RFC 9114 §4.2).
    case upperCaseNames
    /// Sends Connection (RFC 9114 §4.2).
    case connectionField
    /// Leaves `:path` out (RFC 9114 §4.3.1).
    case noPath
    /// Sends `:path` after the other fields (RFC 9114 §4.3).
    case pathLast
    /// Sends a Content-Length that is one byte too long (RFC 9114 §4.1.2).
    case wrongContentLength
    /// Sends TE with any value (RFC 9114 §4.2).
    case anyTE
    /// Sends DATA before the head (RFC 9114 §4.1).
    case dataFirst
    /// Ends a request within a frame (RFC 9114 §7.1).
    case cutsFrame
    /// Sends a frame behind trailers (RFC 9114 §4.1).
    case behindTrailers
    /// Sends SETTINGS on the stream of a request (RFC 9114 §7.2.4).
    case settingsOnRequest
    /// Sends field sections that are larger than the server takes (RFC 9114 §4.2.2).
    case ignoresFieldLimit

    // MARK: Resets, GOAWAY and retries

    /// Opens streams on a connection whose server sent GOAWAY (RFC 9114 §5.2).
    case streamsAfterGoAway
    /// Takes GOAWAY for the end of every request, and repeats those that the server processes (RFC 9114 §5.2).
    case repeatsProcessed
    /// Never repeats a request that was rejected without being processed (RFC 9114 §4.1.1).
    case neverRepeatsRejected
    /// Repeats requests whose stream was reset although they may have been processed (RFC 9114 §4.1.1).
    case repeatsReset
    /// Takes RESET_STREAM for the end of a reply (RFC 9114 §4.1.1).
    case takesResetForEnd
    /// Takes STOP_SENDING for the end of a request without its reply (RFC 9114 §4.1).
    case failsOnStop
    /// Cancels a load without a word to the server (RFC 9114 §4.1.1).
    case cancelsSilently
    /// Delivers a 421 without sending the request on another connection (RFC 9110 §15.5.20).
    case ignoresMisdirection
    /// Gives no window back (RFC 9000 §4.1).
    case noCredit

    // MARK: What is wrong with what comes

    /// Delivers content whose length differs from Content-Length (RFC 9114 §4.1.2).
    case uncheckedLength
    /// Delivers replies with malformed field sections (RFC 9114 §4.1.2).
    case deliversMalformed
    /// Takes a frame that the end of its stream cuts for whole (RFC 9114 §7.1).
    case takesCutFrames
    /// Continues to use a connection after a connection error (RFC 9114 §8).
    case goesOnAfterErrors
    /// Closes a connection after a connection error with H3_NO_ERROR (RFC 9114 §8.1).
    case closesWithoutError
    /// Closes a connection after a connection error with a code of the transport (RFC 9114 §8).
    case closesTransport
    /// Takes pushes that it has not permitted (RFC 9114 §7.2.5).
    case takesAnyPush
    /// Treats frames of unknown types as errors (RFC 9114 §9).
    case refusesUnknownFrames
    /// Treats streams of unknown types as errors (RFC 9114 §6.2).
    case refusesUnknownStreams
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
