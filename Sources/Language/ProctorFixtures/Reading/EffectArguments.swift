import ProctorBase
import ProctorDocument
import ProctorEvents
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
}
