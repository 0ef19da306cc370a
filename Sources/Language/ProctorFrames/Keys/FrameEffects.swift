internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// The effects of HTTP/2 and HTTP/3.
extension EffectForm {
    /// In the order in which messages list them.
    static let ofFrames: [EffectForm] = [
        EffectForm(
            verb: .goaway,
            sentence:
                "GOAWAY, over HTTP/2 and HTTP/3; the connection ends when the streams up to the last one are done. STREAM is `highest` "
                + "(of all that came, and the default), `this`, `before` (below this one, which is not answered then), "
                + "`most` (2^31 − 1, or over HTTP/3 2^62 − 4: later ones are still answered) or a number. HTTP/3 sends no code, and the first "
                + "request that is not answered: that behind STREAM, or the number itself.",
            argument: (
                "\(ErrorCode.fixturePattern)( last (highest|this|before|most|[0-9]{1,10}))?", "CODE [last STREAM]"
            )
        ) { $2.goAway($0, $1) },
        EffectForm(
            verb: .rst,
            sentence:
                "RST_STREAM over HTTP/2, RESET_STREAM over HTTP/3: the stream ends, and the connection goes on. STREAM is one of "
                + "HTTP/3 that the server has opened.",
            argument: ("\(EndCode.fixturePattern)( (\(ScenarioReader.criticalPattern)))?", "CODE [STREAM]")
        ) { $2.streamEnd($0, $1).map { .frames(.resetStream($0.code, on: $0.stream)) } },
        EffectForm(
            verb: .stop,
            sentence:
                "STOP_SENDING, over HTTP/3: the rest of the request is not wanted, and the reply goes on. STREAM is one that the "
                + "client has opened.",
            argument: ("\(EndCode.fixturePattern)( (\(ScenarioReader.criticalPattern)))?", "CODE [STREAM]")
        ) { $2.streamEnd($0, $1).map { .frames(.stopSending($0.code, on: $0.stream)) } },
        EffectForm(
            verb: .connectionClose,
            sentence:
                "CONNECTION_CLOSE, over HTTP/3, with a code of HTTP/3; `transport`: with one of QUIC, by its number. What was "
                + "sent before goes out first.",
            argument: ("(transport )?\(EndCode.fixturePattern)", "[transport] CODE")
        ) { $2.connectionClose($0, $1) },
        EffectForm(
            verb: .stream,
            mapping: MappingForm(shown: "…", example: "{ type: control, bytes: { hex: \"2100\" } }") {
                $0[\.stream].map { .frames(.bytes($0)) }
            }),
        EffectForm(
            verb: .ping, sentence: "PING, over HTTP/2; nothing waits for its acknowledgement.", action: .frames(.ping)),
        EffectForm(
            verb: .window, sentence: "WINDOW_UPDATE by N bytes, of the stream or of the connection, over HTTP/2.",
            argument: ("[0-9]{1,10}( connection)?", "N [connection]")
        ) { $2.window($0, $1) },
        EffectForm(
            verb: .frame,
            mapping: MappingForm(shown: "…", example: "{ type: PING }") { $0[\.frame].map { .frames(.frame($0)) } }),
        EffectForm(
            verb: .settings,
            mapping: MappingForm(shown: "…", example: "{ enable-push: 0 }") {
                $0[\.settings].map { .frames(.settings($0)) }
            }),
        EffectForm(
            verb: .push,
            sentence:
                "PUSH_PROMISE of a GET, over HTTP/2. The promised stream has the reply that an exchange of the origin gives "
                + "the GET first. `{ push: … }` says more, see [Pushed replies](http2.md#pushed-replies).",
            argument: ("/[!-~]{0,8191}", "TARGET"),
            mapping: MappingForm(shown: "…") { $0[\.push].map { .frames(.push($0)) } }
        ) { $2.pushedTarget($0, $1).map { .frames(.push(PushedRequest(target: $0))) } },
        EffectForm(
            verb: .pad,
            sentence: "DATA and HEADERS of the reply have N bytes of padding from here on, over HTTP/2; up to 255.",
            argument: ("[0-9]{1,3}", "N")
        ) { text, node, reader in
            reader.frameNumber(text, "a number of bytes after pad", in: 0...255, node)
                .map { .frames(.pad(UInt8(clamping: $0))) }
        },
        EffectForm(
            verb: .continuation,
            sentence:
                "Field blocks of the reply go out in HEADERS and CONTINUATION of at most N bytes from here on, over HTTP/2.",
            argument: ("[0-9]{1,6}", "N")
        ) { text, node, reader in
            reader.frameNumber(text, "a number of bytes after continuation", in: 1...16_384, node)
                .map { .frames(.continuation(byteCount: $0)) }
        },
    ]
}

// The arguments of effects, which are the text after the verb.
extension ScenarioReader {
    private func errorCode(_ text: String, _ node: Node) -> ErrorCode? {
        ErrorCode(fixture: text)
            ?? refuseCode(
                text, node, names: ErrorCode.names, "a name of RFC 9113 §7, like CANCEL, or a number 0 ... 4294967295")
    }

    private func endCode(_ text: String, _ node: Node) -> EndCode? {
        EndCode(fixture: text)
            ?? refuseCode(
                text, node, names: EndCode.names,
                "a name of RFC 9113 §7 or RFC 9114 §8.1, like CANCEL or H3_NO_ERROR, or a number below 2^62")
    }

    private func refuseCode<Code>(_ text: String, _ node: Node, names: [String], _ hint: String) -> Code? {
        sink.refuse(
            node, text.isEmpty ? "an error code is missing" : "unknown error code \(quoted(text))",
            hint: NearestName.find(text, in: names).map { "did you mean \(quoted($0))?" } ?? hint)
    }

    /// The names of unidirectional streams that HTTP/3 has one of (RFC 9114 §6.2, RFC 9204 §4.2).
    fileprivate static let criticalPattern = HTTP3Behaviour.allStreams.map(\.description).joined(separator: "|")

    /// Reads `CODE`, or `CODE STREAM`.
    fileprivate func streamEnd(_ text: String, _ node: Node) -> (code: EndCode, stream: FrameTemplate.Stream)? {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard let code = endCode(words[0], node) else { return nil }
        guard words.count > 1 else { return (code, .this) }
        guard let stream = HTTP3Behaviour.allStreams.first(where: { $0.description == words[1] }) else {
            return sink.refuse(
                node, "unknown stream \(quoted(words[1])) behind the code",
                hint: "permitted: \(HTTP3Behaviour.allStreams.map(\.description).joined(separator: ", "))")
        }
        need([.h3], for: words[1], at: node)
        return (code, .critical(stream))
    }

    /// Reads `CODE`, or `transport CODE`.
    fileprivate func connectionClose(_ text: String, _ node: Node) -> Effect.Action? {
        let rest = text.dropping(prefix: "transport ")
        return endCode(rest ?? text, node).map { .frames(.closeConnection($0, isOfTransport: rest != nil)) }
    }

    /// A whole number in the text after a verb.
    fileprivate func frameNumber(_ text: String, _ what: String, in range: ClosedRange<Int>, _ node: Node) -> Int? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text), range.contains(number) {
            return number
        }
        return sink.refuse(
            node, "expected \(what), \(range.lowerBound) ... \(range.upperBound), found \(quoted(text))")
    }

    /// Reads `CODE`, or `CODE last STREAM`.
    fileprivate func goAway(_ text: String, _ node: Node) -> Effect.Action? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        let code = errorCode(words[0], node)
        var last: FrameAction.LastStream? = .highest
        if words.count == 3, words[1] == "last" {
            last = lastStream(words[2], node)
        } else if words.count != 1 {
            let rest = words.dropFirst().joined(separator: " ")
            last = sink.refuse(
                node, "expected last and a stream behind the code, found \(quoted(rest))",
                hint: "like do: goaway NO_ERROR last before")
        }
        guard let code, let last else { return nil }
        return .frames(.goAway(code, last: last))
    }

    private func lastStream(_ word: String, _ node: Node) -> FrameAction.LastStream? {
        let named: [FrameAction.LastStream] = [.highest, .this, .before, .most]
        if let last = named.first(where: { $0.text == word }) { return last }
        if word.utf8.allSatisfy(\.isASCIIDigit), let number = UInt32(word), number <= UInt32.max >> 1 {
            return .number(number)
        }
        return sink.refuse(
            node, "unknown last stream \(quoted(word))",
            hint: "permitted: highest, this, before, most, or a number up to 2147483647")
    }

    /// Reads `N`, or `N connection`.
    fileprivate func window(_ text: String, _ node: Node) -> Effect.Action? {
        let isOfConnection = text.hasSuffix(" connection")
        let digits = isOfConnection ? String(text.dropLast(" connection".count)) : text
        return frameNumber(digits, "a number of bytes after window", in: 0...Int(UInt32.max >> 1), node)
            .map { .frames(.window(increment: UInt32(clamping: $0), isOfConnection: isOfConnection)) }
    }
}

extension EndCode {
    fileprivate static let names = ErrorCode.names + HTTP3Code.named.map(\.description)

    /// A regular expression for a name or a number.
    fileprivate static let fixturePattern = "(\(names.joined(separator: "|"))|[0-9]{1,19}|0x[0-9a-fA-F]{1,16})"

    /// Reads IANA's name, or a number below 2^62, which is the bound of QUIC's integers (RFC 9000 §16).
    fileprivate init?(fixture text: String) {
        if let code = ErrorCode(named: text) {
            self = .http2(code)
        } else if let code = HTTP3Code(named: text) {
            self = .http3(code)
        } else if let number = UInt64(quicNumber: text) {
            self = .number(number)
        } else {
            return nil
        }
    }
}

extension UInt64 {
    /// Reads a decimal number or one like `0x2a`, below 2^62.
    init?(quicNumber text: String) {
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        guard let number = UInt64(digits, radix: text.hasPrefix("0x") ? 16 : 10),
            digits.utf8.first != UInt8(ascii: "+"),
            number < 1 << 62
        else { return nil }
        self = number
    }
}

extension ErrorCode {
    fileprivate static let names = named.map(\.description)

    /// A regular expression for a name or a number.
    fileprivate static let fixturePattern = "(\(names.joined(separator: "|"))|[0-9]{1,10}|0x[0-9a-fA-F]{1,8})"

    /// Reads IANA's name, or the number.
    fileprivate init?(fixture text: String) {
        if let named = ErrorCode(named: text) {
            self = named
        } else if text.hasPrefix("0x"), let number = UInt32(text.dropFirst(2), radix: 16) {
            self.init(rawValue: number)
        } else if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = UInt32(text) {
            self.init(rawValue: number)
        } else {
            return nil
        }
    }
}
