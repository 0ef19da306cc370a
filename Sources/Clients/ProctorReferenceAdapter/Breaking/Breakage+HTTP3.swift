internal import ProctorReference

extension Breakage {
    /// Faults over HTTP/3, which scenarios served over HTTP/3 show; no callback rule is about them.
    package static let http3: [Breakage] = [
        .overHTTP3("h3-no-settings", "begin the control stream with another frame than SETTINGS", .noSettings),
        .overHTTP3("h3-settings-twice", "send SETTINGS twice", .settingsTwice),
        .overHTTP3("h3-setting-of-http2", "send a parameter of HTTP/2", .settingOfHTTP2),
        .overHTTP3("h3-setting-twice", "send a parameter twice", .settingTwice),
        .overHTTP3("h3-control-twice", "open a second control stream", .controlTwice),
        .overHTTP3("h3-ends-control", "end the control stream", .endsControl),
        .overHTTP3("h3-data-on-control", "send DATA on the control stream", .dataOnControl),
        .overHTTP3("h3-frame-of-http2", "send a frame that HTTP/2 alone has", .frameOfHTTP2),
        .overHTTP3("h3-lowers-max-push-id", "lower MAX_PUSH_ID", .lowersMaxPushID),
        .overHTTP3("h3-cancels-unknown-push", "cancel a push that nobody has promised", .cancelsUnknownPush),
        .overHTTP3("h3-raises-goaway", "send GOAWAY with a higher number than before", .raisesGoAway),
        .overHTTP3("h3-push-stream", "open a push stream", .pushStream),
        .overHTTP3("h3-increment-of-zero", "acknowledge no insertion by an increment of 0", .incrementOfZero),
        .overHTTP3("h3-table-too-large", "set a larger table of fields than the server permits", .tableTooLarge),
        .overHTTP3("h3-unknown-reference", "name a field that no table has", .unknownReference),
        .overHTTP3("h3-upper-case-names", "write names of fields with upper-case letters", .upperCaseNames),
        .overHTTP3("h3-connection-field", "send the field Connection on a stream", .connectionField),
        .overHTTP3("h3-no-path", "leave :path out of requests", .noPath),
        .overHTTP3("h3-path-last", "send :path behind the other fields", .pathLast),
        .overHTTP3("h3-wrong-length", "state one byte more than the content has", .wrongContentLength),
        .overHTTP3("h3-any-te", "send TE with other values than trailers", .anyTE),
        .overHTTP3("h3-data-first", "send DATA before the head of a request", .dataFirst),
        .overHTTP3("h3-cuts-frame", "end a request within a frame", .cutsFrame),
        .overHTTP3("h3-behind-trailers", "send a frame behind the trailers of a request", .behindTrailers),
        .overHTTP3("h3-settings-on-request", "send SETTINGS on the stream of a request", .settingsOnRequest),
        .overHTTP3(
            "h3-ignores-field-limit", "send field sections that are larger than the server takes", .ignoresFieldLimit),
        .overHTTP3("h3-streams-after-goaway", "open streams behind the server's GOAWAY", .streamsAfterGoAway),
        .overHTTP3(
            "h3-repeats-processed", "repeat requests that the server processes, after its GOAWAY", .repeatsProcessed),
        .overHTTP3("h3-never-repeats-rejected", "repeat no request that was rejected", .neverRepeatsRejected),
        .overHTTP3("h3-repeats-reset", "repeat requests whose stream was reset", .repeatsReset),
        .overHTTP3("h3-takes-reset-for-end", "take RESET_STREAM for the end of a reply", .takesResetForEnd),
        .overHTTP3("h3-fails-on-stop", "take STOP_SENDING for the end of a request without its reply", .failsOnStop),
        .overHTTP3("h3-cancels-silently", "cancel without RESET_STREAM and STOP_SENDING", .cancelsSilently),
        .overHTTP3("h3-ignores-421", "deliver a 421 without asking elsewhere", .ignoresMisdirection),
        .overHTTP3("h3-no-credit", "give no window back", .noCredit),
        .overHTTP3("h3-unchecked-length", "deliver content of another length than was stated", .uncheckedLength),
        .overHTTP3("h3-delivers-malformed", "deliver replies with malformed field sections", .deliversMalformed),
        .overHTTP3("h3-takes-cut-frames", "take a frame that the end of its stream cuts for whole", .takesCutFrames),
        .overHTTP3("h3-goes-on-after-errors", "go on with a connection after an error of it", .goesOnAfterErrors),
        .overHTTP3(
            "h3-closes-without-error", "close after an error of the connection with H3_NO_ERROR", .closesWithoutError),
        .overHTTP3(
            "h3-closes-transport", "close after an error of HTTP/3 with a code of the transport", .closesTransport),
        .overHTTP3("h3-takes-any-push", "take pushes that it has not permitted", .takesAnyPush),
        .overHTTP3("h3-refuses-unknown-frames", "take frames of unknown types for errors", .refusesUnknownFrames),
        .overHTTP3("h3-refuses-unknown-streams", "take streams of unknown types for errors", .refusesUnknownStreams),
        .overHTTP3("h3-metrics-say-http-1.1", "name HTTP/1.1 in the metrics of a load over HTTP/3", .wrongMetrics),
    ]

    private static func overHTTP3(_ label: String, _ name: String, _ fault: HTTP3Fault) -> Breakage {
        setting(label, name) { $0.transportFault = .http3(fault) }
    }
}
