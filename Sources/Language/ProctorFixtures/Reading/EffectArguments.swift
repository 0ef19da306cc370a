import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorHTTP
import ProctorScenario
import ProctorTLSWire

// The arguments of effects, which are the text after the verb.
extension ScenarioReader {
    func wait(_ text: String, _ node: Node) -> Effect.Action? {
        if text.hasPrefix("lognormal") { return lognormalWait(text, node) }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard ends.count == 2 else { return waitTime(text, node).map { .wait(.nanoseconds($0)) } }
        guard let first = waitTime(ends[0], node), let last = waitTime(ends[1], node) else { return nil }
        guard first <= last else {
            return sink.refuse(
                node, "the wait \(text) ends before it begins", hint: "write wait \(ends[1])-\(ends[0])")
        }
        return .waitRandom(
            .between(.nanoseconds(first)...Duration.nanoseconds(last)), RandomPlace(.wait, at: node.location))
    }

    /// `lognormal TIME sigma NUMBER most TIME`.
    private func lognormalWait(_ text: String, _ node: Node) -> Effect.Action? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        guard words.count == 6, words[0] == "lognormal", words[2] == "sigma", words[4] == "most" else {
            return sink.refuse(
                node, "expected a median, a sigma and a longest time, found \(quoted(text))",
                hint: "like do: wait lognormal 100ms sigma 0.4 most 5s")
        }
        guard let sigma = Self.sigma(words[3]) else {
            return sink.refuse(
                node, "expected a sigma above 0 and at most 5, with up to 6 decimals, found \(quoted(words[3]))")
        }
        guard let median = waitTime(words[1], node), let most = waitTime(words[5], node) else { return nil }
        guard median > 0, median <= most else {
            return sink.refuse(
                node, "the median \(words[1]) is not above 0 and up to the longest time \(words[5])",
                hint: "half of all waits are longer than the median")
        }
        return .waitRandom(
            .lognormal(median: .nanoseconds(median), sigma: sigma, most: .nanoseconds(most)),
            RandomPlace(.wait, at: node.location))
    }

    static let sigmaPattern = "[0-5](\\.[0-9]{1,6})?"

    private static func sigma(_ text: String) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts[0].count == 1, parts.count == 1 || 1...6 ~= parts[1].count,
            parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }), let number = Double(text), number > 0, number <= 5
        else { return nil }
        return number
    }

    /// A time in nanoseconds.
    private func waitTime(_ text: String, _ node: Node) -> Int? {
        guard let nanoseconds = DurationText.nanoseconds(text) else {
            return sink.refuse(node, "expected \(DurationText.expected) after wait, found \(quoted(text))")
        }
        guard nanoseconds <= Bounds.waitNanoseconds else {
            return sink.refuse(node, "a wait of \(text) is too long; at most 10m is permitted")
        }
        return nanoseconds
    }

    func send(_ rest: String, _ node: Node) -> Effect.Action? {
        guard !rest.isEmpty, let text = node.text else {
            return sink.refuse(node, "send needs the text to send", hint: "do: send TEXT, or do: { send: BYTES }")
        }
        return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text).dropping(5))
            .map { .send(ByteSource($0)) }
    }

    /// The names of events that a client can report.
    static let reportedEvents: [String] = {
        let lanes: [Lane] = [.task, .session, .proto, .protocolClient, .handler, .harness]
        return EventVocabulary.kinds.filter { kind in kind.lanes.contains { lanes.contains($0) } }.map(\.name)
    }()

    /// `await EVENT`.
    func awaiting(_ text: String, _ node: Node) -> Effect.Action? {
        guard !text.isEmpty else {
            return sink.refuse(node, "await needs the name of an event", hint: "like do: await response")
        }
        return awaitedEvent(text, node).map { .await(SyncPoint(event: $0)) }
    }

    func awaitedEvent(_ name: String, _ node: Node) -> String? {
        if Self.reportedEvents.contains(name) { return name }
        if EventVocabulary.kind(named: name) != nil {
            return sink.refuse(
                node, "\(quoted(name)) is an event of the wire, which no client reports",
                hint: "what arrived is known without waiting")
        }
        let hint = NearestName.find(name, in: Self.reportedEvents).map { "did you mean \(quoted($0))?" }
        return sink.refuse(
            node, "unknown event \(quoted(name))", hint: hint ?? "the names are those of the expressions of a case")
    }

    func keyUpdate(_ text: String, _ node: Node) -> Effect.Action? {
        guard ["ours", "both"].contains(text) else {
            return sink.refuse(
                node, "key-update takes ours or both, found \(quoted(text))", hint: "like do: key-update ours")
        }
        return .keyUpdate(both: text == "both")
    }

    /// `alert N` or `alert NAME`.
    func alert(_ text: String, _ node: Node) -> Effect.Action? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit)
        let number = AlertDescription.number(named: text) ?? (isNumber ? UInt8(text) : nil)
        secondPass.later { [place] resolver in
            guard number == nil, resolver.plainName(at: place) == nil else { return }
            if text.isEmpty {
                resolver.sink.report(node, "alert needs a number or a name", hint: "like do: alert handshake_failure")
            } else if isNumber {
                resolver.sink.report(node, "an alert is a number 0 ... 255, found \(text)")
            } else {
                resolver.sink.report(
                    node, "unknown alert \(quoted(text))",
                    hint: NearestName.find(text, in: AlertDescription.names).map { "did you mean \(quoted($0))?" }
                        ?? "write a name of RFC 8446 §6, or a number 0 ... 255")
            }
        }
        return number.map { .alert($0) }
    }

    // MARK: Frames

    func errorCode(_ text: String, _ node: Node) -> ErrorCode? {
        ErrorCode(fixture: text)
            ?? refuseCode(
                text, node, names: ErrorCode.names, "a name of RFC 9113 §7, like CANCEL, or a number 0 ... 4294967295")
    }

    func endCode(_ text: String, _ node: Node) -> EndCode? {
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
    static let criticalPattern = HTTP3Behaviour.allStreams.map(\.description).joined(separator: "|")

    /// Reads `CODE`, or `CODE STREAM`.
    func streamEnd(_ text: String, _ node: Node) -> (code: EndCode, stream: FrameTemplate.Stream)? {
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
    func connectionClose(_ text: String, _ node: Node) -> Effect.Action? {
        let rest = text.dropping(prefix: "transport ")
        return endCode(rest ?? text, node).map { .frames(.closeConnection($0, isOfTransport: rest != nil)) }
    }

    /// A whole number in the text after a verb.
    func frameNumber(_ text: String, _ what: String, in range: ClosedRange<Int>, _ node: Node) -> Int? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text), range.contains(number) {
            return number
        }
        return sink.refuse(
            node, "expected \(what), \(range.lowerBound) ... \(range.upperBound), found \(quoted(text))")
    }

    /// Reads `CODE`, or `CODE last STREAM`.
    func goAway(_ text: String, _ node: Node) -> Effect.Action? {
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
    func window(_ text: String, _ node: Node) -> Effect.Action? {
        let isOfConnection = text.hasSuffix(" connection")
        let digits = isOfConnection ? String(text.dropLast(" connection".count)) : text
        return frameNumber(digits, "a number of bytes after window", in: 0...Int(UInt32.max >> 1), node)
            .map { .frames(.window(increment: UInt32(clamping: $0), isOfConnection: isOfConnection)) }
    }
}

extension EndCode {
    fileprivate static let names = ErrorCode.names + HTTP3Code.named.map(\.description)

    /// A regular expression for a name or a number.
    static let fixturePattern = "(\(names.joined(separator: "|"))|[0-9]{1,19}|0x[0-9a-fA-F]{1,16})"

    /// Reads IANA's name, or a number below 2^62, which is the bound of QUIC's integers (RFC 9000 §16).
    init?(fixture text: String) {
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
    package init?(quicNumber text: String) {
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
    static let fixturePattern = "(\(names.joined(separator: "|"))|[0-9]{1,10}|0x[0-9a-fA-F]{1,8})"

    /// Reads IANA's name, or the number.
    init?(fixture text: String) {
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
