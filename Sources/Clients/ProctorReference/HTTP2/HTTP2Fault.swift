/// A deliberate fault over HTTP/2, by the label of its breakage.
///
/// `faults.tsv` says what each does, and against which section.
package enum HTTP2Fault: String, Sendable, CaseIterable {
    case noSettingsAcknowledgement = "h2-no-settings-ack"
    case noPingAcknowledgement = "h2-no-ping-ack"
    case overrunsStreamWindow = "h2-overruns-stream-window"
    case overrunsConnectionWindow = "h2-overruns-connection-window"
    case upperCaseNames = "h2-upper-case-names"
    case connectionField = "h2-connection-field"
    case noPath = "h2-no-path"
    case pathLast = "h2-path-last"
    case streamsAfterGoAway = "h2-streams-after-goaway"
    case repeatsProcessed = "h2-repeats-processed"
    case neverRepeatsRefused = "h2-never-repeats-refused"
    case ignoresReset = "h2-ignores-reset"
    case evenStreams = "h2-even-streams"
    case cancelsWithoutReset = "h2-cancels-without-reset"
    case ignoresMisdirection = "h2-ignores-421"
    case wrongContentLength = "h2-wrong-length"
    case sharesWithEveryName = "h2-shares-with-every-name"
    case noSettings = "h2-no-settings"
    case answersPingAcknowledgements = "h2-answers-ping-acks"
    case tooManyStreams = "h2-too-many-streams"
    case framesTooLong = "h2-frames-too-long"
    case tableTooLarge = "h2-table-too-large"
    case anyTE = "h2-any-te"
    case repeatsReset = "h2-repeats-reset"
    case noWindowUpdates = "h2-no-window-updates"
    case forgetsPadding = "h2-forgets-padding"
    case uncheckedLength = "h2-unchecked-length"
    case deliversMalformed = "h2-delivers-malformed"
    case goesOnAfterErrors = "h2-goes-on-after-errors"
    case noGoAway = "h2-no-goaway"
    case takesPush = "h2-takes-push"
    case refusesUnknownFrames = "h2-refuses-unknown-frames"
    case wrongMetrics = "h2-metrics-say-http-1.1"

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
