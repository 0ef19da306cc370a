internal import ProctorBase
internal import ProctorHTTP

/// One line about an answered request, for a person or a program; nothing in it moves a terminal's cursor.
package enum RequestLogLine: Sendable {
    case request(LoggedRequest, WallClockOffset)
    /// As many requests had no line, since they were faster than lines could be printed.
    case dropped(Int)

    /// How a request ended, as far as a colour shows it.
    package enum Outcome: Sendable {
        /// Replied with a status below 400, and nothing was wrong.
        case good
        /// Replied with 400 or more, as a fixture wanted.
        case refused
        /// Missed, against an RFC, broken off, or without a reply.
        case wrong
    }

    package var outcome: Outcome {
        guard case .request(let request, _) = self else { return .wrong }
        let notes = request.notes
        guard case .replied(let status, _) = notes.ending, notes.violations.isEmpty, notes.miss == nil else {
            return .wrong
        }
        return (status ?? 200) < 400 ? .good : .refused
    }

    package var text: String { text { text, _ in text } }

    /// `paint` is given the parts that say the outcome.
    package func text(_ paint: (String, Outcome) -> String) -> String {
        switch self {
        case .dropped(let count):
            return paint(
                "(\(Plural.count(count, "request")) more, which \(count == 1 ? "was" : "were") faster than they could be "
                    + "printed)", .wrong)
        case .request(let request, let clock):
            let notes = request.notes
            let outcome = outcome
            let owner = [request.scenario ?? "-", request.run].compactMap(\.self).joined(separator: " ")
            let remarks = notes.remarks.map { paint($0, outcome) }
            let parts = [clock.timeOfDay(at: notes.end), PrintableText.sanitize(owner), notes.requestText]
            switch notes.ending {
            case .refused(let status): return (parts + [paint("\(status)", outcome)] + remarks).joined(separator: "  ")
            case .ended(let code):
                return (parts + [paint(PrintableText.sanitize(code, limit: 40), outcome)] + remarks).joined(
                    separator: "  ")
            case .unanswered: return (parts + remarks).joined(separator: "  ")
            case .replied(let status, let byteCount):
                let word = paint(status.map { "\($0)" } ?? "raw", outcome)
                return (parts + [word, Plural.count(byteCount, "byte"), notes.duration] + remarks).joined(
                    separator: "  ")
            case .aborted(let byteCount, _):
                return (parts + [paint("-", outcome), Plural.count(byteCount, "byte"), notes.duration] + remarks)
                    .joined(separator: "  ")
            }
        }
    }

    /// One JSON object without line feed; Docs/judging/journal.md has its members.
    package var json: String {
        var json = JSONText()
        json.object { json in
            switch self {
            case .dropped(let count):
                json.member("proctor", "requestsDropped")
                json.member("count", count)
            case .request(let request, let clock):
                json.member("proctor", "request")
                json.member("time", clock.timestamp(at: request.notes.end))
                if let scenario = request.scenario { json.member("scenario", PrintableText.sanitize(scenario)) }
                if let run = request.run { json.member("run", run) }
                request.notes.members(of: &json)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension LoggedRequest.Notes {
    fileprivate var method: String? { head.map { EscapedText.escape($0.head.methodBytes, limit: 40) } }
    fileprivate var target: String? { head.map { EscapedText.escape($0.target) } }

    private var isMultiplexed: Bool { head?.head.isMultiplexed ?? false }

    fileprivate var requestText: String {
        guard let method, let target else { return "a request that can't be read" }
        return "\(method) \(target)\(isMultiplexed ? " HTTP/2" : "")"
    }

    fileprivate var nanoseconds: UInt64 { end >= start ? end - start : 0 }

    /// Cut, and not rounded.
    fileprivate var duration: String { "\(nanoseconds / 1_000_000).\(nanoseconds / 100_000 % 10) ms" }

    /// What was wrong, in the order in which a person asks for it.
    fileprivate var remarks: [String] {
        var remarks = violations.map { "violation: \(PrintableText.sanitize($0.kind, limit: 60)) (\($0.section))" }
        if let missText { remarks.append(missText) }
        switch ending {
        case .aborted(_, let reason): remarks.append("broken off: \(PrintableText.sanitize(reason, limit: 300))")
        case .unanswered: remarks.append("not answered")
        case .replied, .refused, .ended: break
        }
        return remarks
    }

    private var missText: String? {
        guard let miss else { return nil }
        return "nothing expects it"
            + (miss.differences.first.map { ": \(PrintableText.sanitize($0, limit: 300))" } ?? "")
    }

    fileprivate func members(of json: inout JSONText) {
        if let method { json.member("method", method) }
        if let target { json.member("target", target) }
        if isMultiplexed { json.member("version", "HTTP/2") }
        if let stream = head?.head.stream { json.member("stream", Int(stream)) }
        switch ending {
        case .replied(let status, let byteCount):
            json.member("outcome", "replied")
            if let status { json.member("status", status) }
            json.member("byteCount", byteCount)
        case .aborted(let byteCount, let reason):
            json.member("outcome", "aborted")
            json.member("byteCount", byteCount)
            json.member("reason", PrintableText.sanitize(reason, limit: 300))
        case .unanswered: json.member("outcome", "unanswered")
        case .refused(let status):
            json.member("outcome", "refused")
            json.member("status", status)
        case .ended(let code):
            json.member("outcome", "refused")
            json.member("code", PrintableText.sanitize(code, limit: 40))
        }
        json.member("microseconds", nanoseconds / 1000)
        if let missText { json.member("missed", missText) }
        guard !violations.isEmpty else { return }
        json.key("violations")
        json.list(violations) { violation, json in
            json.object {
                $0.member("kind", violation.kind)
                $0.member("section", violation.section)
            }
        }
    }
}
