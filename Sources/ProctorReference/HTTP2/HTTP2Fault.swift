/// One mistake over HTTP/2, for clients that are broken on purpose.
package enum HTTP2Fault: Sendable, Hashable, CaseIterable {
    /// Acknowledges no SETTINGS (RFC 9113 §6.5.3).
    case noSettingsAcknowledgement
    /// Acknowledges no PING (RFC 9113 §6.7).
    case noPingAcknowledgement
    /// Sends content whatever the stream's window is (RFC 9113 §6.9.1).
    case overrunsStreamWindow
    /// Sends content whatever the connection's window is (RFC 9113 §6.9.1).
    case overrunsConnectionWindow
    /// Writes names of fields with upper-case letters (RFC 9113 §8.2.1).
    case upperCaseNames
    /// Sends Connection (RFC 9113 §8.2.2).
    case connectionField
    /// Leaves `:path` out (RFC 9113 §8.3.1).
    case noPath
    /// Sends `:path` behind the other fields (RFC 9113 §8.3).
    case pathLast
    /// Opens streams on a connection whose server sent GOAWAY (RFC 9113 §6.8).
    case streamsAfterGoAway
    /// Repeats requests that the server may have processed, whatever their method (RFC 9113 §8.7).
    case repeatsProcessed
    /// Never repeats a request that the server refused without processing it.
    case neverRepeatsRefused
    /// Takes no notice of RST_STREAM (RFC 9113 §6.4).
    case ignoresReset
    /// Opens streams with even numbers (RFC 9113 §5.1.1).
    case evenStreams
    /// Cancels a load without RST_STREAM.
    case cancelsWithoutReset
    /// Delivers a 421 without asking on another connection (RFC 9110 §15.5.20).
    case ignoresMisdirection
    /// States one byte more than the content has (RFC 9113 §8.1.1).
    case wrongContentLength
    /// Uses a connection for every name, wherever that stands and whatever the certificate is for (RFC 9113 §9.1.1).
    case sharesWithEveryName
    /// Sends no SETTINGS behind the preface (RFC 9113 §3.4).
    case noSettings
    /// Answers acknowledgements of PING by acknowledgements (RFC 9113 §6.7).
    case answersPingAcknowledgements
    /// Opens streams beyond the server's SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113 §5.1.2).
    case tooManyStreams
    /// Sends frames longer than the server's SETTINGS_MAX_FRAME_SIZE (RFC 9113 §4.2).
    case framesTooLong
    /// Keeps its table of field lines whatever SETTINGS_HEADER_TABLE_SIZE says (RFC 7541 §4.2).
    case tableTooLarge
    /// Sends TE with any value (RFC 9113 §8.2.2).
    case anyTE
    /// Repeats requests whose stream was reset, which may have been processed (RFC 9113 §8.7).
    case repeatsReset
    /// Gives no window back (RFC 9113 §6.9).
    case noWindowUpdates
    /// Gives no window back for padding (RFC 9113 §6.9.1).
    case forgetsPadding
    /// Delivers content whose length is not that of Content-Length (RFC 9113 §8.1.1).
    case uncheckedLength
    /// Delivers replies whose field sections are malformed (RFC 9113 §8.1.1).
    case deliversMalformed
    /// Goes on with a connection after an error of it (RFC 9113 §5.4.1).
    case goesOnAfterErrors
    /// Ends a connection after an error of it without GOAWAY (RFC 9113 §5.4.1).
    case noGoAway
    /// Takes pushed replies, which its SETTINGS forbid (RFC 9113 §8.4).
    case takesPush
    /// Takes frames of unknown types for errors (RFC 9113 §5.5).
    case refusesUnknownFrames
    /// Names HTTP/1.1 in the metrics of every load.
    case wrongMetrics
}
