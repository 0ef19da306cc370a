/// A deliberate fault over HTTP/3, by the label of its breakage.
///
/// `faults.tsv` says what each does, and against which section.
package enum HTTP3Fault: String, Sendable, CaseIterable {
    // MARK: What is sent on the control stream

    case noSettings = "h3-no-settings"
    case settingsTwice = "h3-settings-twice"
    case settingOfHTTP2 = "h3-setting-of-http2"
    case settingTwice = "h3-setting-twice"
    case controlTwice = "h3-control-twice"
    case endsControl = "h3-ends-control"
    case dataOnControl = "h3-data-on-control"
    case frameOfHTTP2 = "h3-frame-of-http2"
    case lowersMaxPushID = "h3-lowers-max-push-id"
    case cancelsUnknownPush = "h3-cancels-unknown-push"
    case raisesGoAway = "h3-raises-goaway"

    // MARK: What is sent on other streams of its own

    case pushStream = "h3-push-stream"
    case incrementOfZero = "h3-increment-of-zero"
    case tableTooLarge = "h3-table-too-large"

    // MARK: Requests

    case unknownReference = "h3-unknown-reference"
    case upperCaseNames = "h3-upper-case-names"
    case connectionField = "h3-connection-field"
    case noPath = "h3-no-path"
    case pathLast = "h3-path-last"
    case wrongContentLength = "h3-wrong-length"
    case anyTE = "h3-any-te"
    case dataFirst = "h3-data-first"
    case cutsFrame = "h3-cuts-frame"
    case behindTrailers = "h3-behind-trailers"
    case settingsOnRequest = "h3-settings-on-request"
    case ignoresFieldLimit = "h3-ignores-field-limit"

    // MARK: Resets, GOAWAY and retries

    case streamsAfterGoAway = "h3-streams-after-goaway"
    case repeatsProcessed = "h3-repeats-processed"
    case neverRepeatsRejected = "h3-never-repeats-rejected"
    case repeatsReset = "h3-repeats-reset"
    case takesResetForEnd = "h3-takes-reset-for-end"
    case failsOnStop = "h3-fails-on-stop"
    case cancelsSilently = "h3-cancels-silently"
    case ignoresMisdirection = "h3-ignores-421"
    case noCredit = "h3-no-credit"

    // MARK: What is wrong with what comes

    case uncheckedLength = "h3-unchecked-length"
    case deliversMalformed = "h3-delivers-malformed"
    case takesCutFrames = "h3-takes-cut-frames"
    case goesOnAfterErrors = "h3-goes-on-after-errors"
    case closesWithoutError = "h3-closes-without-error"
    case closesTransport = "h3-closes-transport"
    case takesAnyPush = "h3-takes-any-push"
    case refusesUnknownFrames = "h3-refuses-unknown-frames"
    case refusesUnknownStreams = "h3-refuses-unknown-streams"
    case wrongMetrics = "h3-metrics-say-http-1.1"
}
