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
    /// Uses a connection for names that its certificate is not for (RFC 9113 §9.1.1).
    case sharesWithoutCertificate
}
