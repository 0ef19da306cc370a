internal import ProctorReference

extension Breakage {
    /// Faults over HTTP/2, which scenarios served over HTTP/2 show; no callback rule is about them.
    package static let http2: [Breakage] = [
        .overHTTP2("h2-no-settings-ack", "acknowledge no SETTINGS", .noSettingsAcknowledgement),
        .overHTTP2("h2-no-ping-ack", "acknowledge no PING", .noPingAcknowledgement),
        .overHTTP2("h2-overruns-stream-window", "send more than a stream's window permits", .overrunsStreamWindow),
        .overHTTP2(
            "h2-overruns-connection-window", "send more than the connection's window permits",
            .overrunsConnectionWindow),
        .overHTTP2("h2-upper-case-names", "write names of fields with upper-case letters", .upperCaseNames),
        .overHTTP2("h2-connection-field", "send the field Connection on a stream", .connectionField),
        .overHTTP2("h2-no-path", "leave :path out of requests", .noPath),
        .overHTTP2("h2-path-last", "send :path behind the other fields", .pathLast),
        .overHTTP2("h2-streams-after-goaway", "open streams behind the server's GOAWAY", .streamsAfterGoAway),
        .overHTTP2("h2-repeats-processed", "repeat requests that the server has processed", .repeatsProcessed),
        .overHTTP2("h2-never-repeats-refused", "repeat no request that was refused", .neverRepeatsRefused),
        .overHTTP2("h2-ignores-reset", "take no notice of RST_STREAM", .ignoresReset),
        .overHTTP2("h2-even-streams", "open streams with even numbers", .evenStreams),
        .overHTTP2("h2-cancels-without-reset", "cancel without RST_STREAM", .cancelsWithoutReset),
        .overHTTP2("h2-ignores-421", "deliver a 421 without asking elsewhere", .ignoresMisdirection),
        .overHTTP2("h2-wrong-length", "state one byte more than the content has", .wrongContentLength),
        .overHTTP2(
            "h2-shares-with-every-name", "share a connection with every name, whatever its certificate is for",
            .sharesWithEveryName),
        .overHTTP2("h2-no-settings", "send no SETTINGS", .noSettings),
        .overHTTP2("h2-answers-ping-acks", "answer acknowledgements of PING", .answersPingAcknowledgements),
        .overHTTP2("h2-too-many-streams", "open more streams than the server permits", .tooManyStreams),
        .overHTTP2("h2-frames-too-long", "send frames that are longer than the server permits", .framesTooLong),
        .overHTTP2("h2-table-too-large", "keep a larger table of field lines than the server permits", .tableTooLarge),
        .overHTTP2("h2-any-te", "send TE with other values than trailers", .anyTE),
        .overHTTP2("h2-repeats-reset", "repeat requests whose stream was reset", .repeatsReset),
        .overHTTP2("h2-no-window-updates", "give no window back", .noWindowUpdates),
        .overHTTP2("h2-forgets-padding", "give no window back for padding", .forgetsPadding),
        .overHTTP2("h2-unchecked-length", "deliver content of another length than was stated", .uncheckedLength),
        .overHTTP2("h2-delivers-malformed", "deliver replies with malformed field sections", .deliversMalformed),
        .overHTTP2("h2-goes-on-after-errors", "go on with a connection after an error of it", .goesOnAfterErrors),
        .overHTTP2("h2-no-goaway", "end a connection after an error of it without GOAWAY", .noGoAway),
        .overHTTP2("h2-takes-push", "take pushed replies, which its SETTINGS forbid", .takesPush),
        .overHTTP2("h2-refuses-unknown-frames", "take frames of unknown types for errors", .refusesUnknownFrames),
        .overHTTP2("h2-metrics-say-http-1.1", "name HTTP/1.1 in the metrics of a load over HTTP/2", .wrongMetrics),
    ]

    private static func overHTTP2(_ label: String, _ name: String, _ fault: HTTP2Fault) -> Breakage {
        setting(label, name) { $0.transportFault = .http2(fault) }
    }
}
