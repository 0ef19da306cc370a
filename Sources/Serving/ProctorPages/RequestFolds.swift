internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorHTTP
import ProctorJournal
internal import ProctorScenario

/// The requests of a run, for its page without a script: first those that a verdict is about, open and with their bytes, then
/// the others, folded by what they share.
///
/// Where nothing went wrong, each request is a fold of its own.
struct RequestFolds {
    /// In the order in which they came.
    private var requests: [Request] = []

    /// Requests that are open from the start, and rows of one fold.
    private static let openLimit = 3
    private static let rowLimit = 50

    fileprivate struct Request {
        let number: Int
        /// The method and the target: `GET /a`.
        let name: String
        /// The request and its reply as they were on the wire.
        var sent: [String]
        var got: [String] = []
        /// The status, or `raw bytes`; nil before the reply.
        var answer: String?
        /// Whether an exchange of the scenario answered it.
        var isExpected = false
        var isMissed = false
        var isBad = false
        /// What is wrong with it, but for what the page says before it.
        var sentences: [String] = []

        /// What it shares with others: `answered by 200`.
        var fate: String {
            answer.map { "answered by \($0)\(isExpected ? "" : " of Proctor itself")" } ?? "not answered yet"
        }
    }

    init(_ entries: [JournalEntry], verdict: WireVerdict?) {
        let failures = verdict?.failures ?? []
        let wanted = Set(failures.compactMap(\.sequence))
        var (places, owners): ([Int: Int], [UInt64: Int]) = ([:], [:])
        for entry in entries {
            guard let number = entry.request else { continue }
            if case .requestHead(let head, let target) = entry.event {
                places[number] = requests.count
                let name = "\(WireText.escaped(head.methodBytes)) \(WireText.escaped(target))"
                requests.append(
                    Request(number: number, name: name, sent: WireTimeline.wholeDetails(of: entry.event)))
            }
            guard let place = places[number] else { continue }
            requests[place].add(entry.event)
            if wanted.contains(entry.sequence) { owners[entry.sequence] = number }
            // A verdict says which of them count.
            if case .missed = entry.event, verdict == nil { requests[place].isBad = true }
        }
        for finding in failures {
            let number = finding.request?.number ?? finding.sequence.flatMap { owners[$0] }
            guard let place = number.flatMap({ places[$0] }) else { continue }
            requests[place].isBad = true
            let sentence = finding.plain ?? finding.sentence
            if sentence == verdict?.sentence {
                subject = subject ?? place
            } else if !requests[place].sentences.contains(sentence) {
                requests[place].sentences.append(sentence)
            }
        }
    }

    /// The index of the request that the verdict's own sentence is about.
    private var subject: Int?

    // MARK: The page

    var html: HTML {
        guard !requests.isEmpty else { return "" }
        guard requests.contains(where: \.isBad) else { return list(requests, count: requests.count) }
        let first = subject.map { [requests[$0]] } ?? []
        let bad = first + requests.filter { $0.isBad && $0.number != first.first?.number }
        let shown = bad.prefix(Self.openLimit).joined { row($0, isOpen: true) }
        let failed = Array(bad.dropFirst(Self.openLimit)).grouped(by: \.fate)
        let others = requests.filter { !$0.isBad }.grouped(by: \.fate)
        return """
            <ol class="requests">\(shown)</ol>\
            \(failed.joined { fold($0.elements, "failed, \($0.key)") })\
            \(others.joined { fold($0.elements, "were \($0.key)") })
            """
    }

    /// One request alone is a row.
    private func fold(_ requests: [Request], _ what: String) -> HTML {
        guard requests.count > 1 else { return list(requests, count: 1) }
        return """
            <details class="others"><summary>\(requests.count) more that \(what)</summary>\
            \(list(requests, count: requests.count))</details>
            """
    }

    private func list(_ requests: [Request], count: Int) -> HTML {
        let rest = count - Self.rowLimit
        let left = "\(Plural.count(rest, "earlier request")) \(rest == 1 ? "is" : "are") left out."
        let omitted: HTML = rest > 0 ? "<p class=\"soft\">\(left)</p>" : ""
        let rows = requests.suffix(Self.rowLimit).joined { row($0, isOpen: false) }
        return "\(omitted)<ol class=\"requests\">\(rows)</ol>"
    }

    private func row(_ request: Request, isOpen: Bool) -> HTML {
        let (tone, word): (HTML, HTML) =
            request.isBad ? ("bad", "✗ failed") : request.isExpected ? ("good", "✓ answered") : ("none", "– not judged")
        var html: HTML = request.isBad ? "<li class=\"bad-request\">" : "<li>"
        html += isOpen ? "<details open>" : "<details>"
        html += """
            <summary><span class="number">\(request.number + 1)</span> <span class="mark \(tone)">\(word)</span> \
            <span class="line">\(request.name)</span> <span class="soft">\(request.fate)</span></summary>
            """
        html += request.sentences.joined { "<p class=\"sentence\">\($0)</p>" }
        // What the verdict or a sentence says is not said again.
        if request.isMissed, request.sentences.isEmpty, request.number != subject.map({ requests[$0].number }) {
            html += "<p class=\"soft\">No exchange of the scenario answers it.</p>"
        }
        html += "<pre class=\"lines\" tabindex=\"0\">\(request.sent.joined(separator: "\n"))</pre>"
        if !request.got.isEmpty, !request.isMissed {
            html += "<pre class=\"lines reply\" tabindex=\"0\">\(request.got.joined(separator: "\n"))</pre>"
        }
        return "\(html)</details></li>"
    }
}

extension RequestFolds.Request {
    fileprivate mutating func add(_ event: JournalEvent) {
        switch event {
        case .exchangeChosen: isExpected = true
        case .requestBody(let body) where !body.kept.isEmpty: sent += [""] + WireTimeline.wholeDetails(of: event)
        case .missed: isMissed = true
        case .replyBegun(let reply) where !reply.isInterim:
            answer = reply.status.map(String.init) ?? "raw bytes"
            got = [answer ?? ""] + WireTimeline.wholeDetails(of: event)
            if let content = reply.content?.kept, !content.isEmpty {
                got += ["", WireText.quoted(content, limit: Self.contentLimit)]
            }
        case .replySent(let status, _): answer = answer ?? status.map(String.init) ?? "raw bytes"
        case .replyAborted: answer = (answer ?? "raw bytes") + ", broken off"
        default: break
        }
    }

    /// Bytes of a reply's content that are shown.
    private static let contentLimit = 1_000
}
