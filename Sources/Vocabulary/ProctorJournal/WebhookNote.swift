internal import ProctorBase

/// A request of the server to the client's listener, what came of it, or why there was none.
public struct WebhookNote: Sendable, Equatable {
    /// Counts the webhooks of the run from 0; repetitions and tries of one have the same number.
    package let number: Int
    /// From 0.
    package let attempt: Int
    package let event: Event

    package enum Event: Sendable, Equatable {
        /// The request goes out: its target, its id, the bytes of its content, and what is wrong with it on purpose.
        case sent(url: String, id: String, byteCount: Int, mistake: String?)
        /// The listener answered; `fault` is a sentence where another answer was wanted.
        case answered(status: Int, milliseconds: Int, fault: String?)
        /// No answer came, with the reason.
        case unanswered(reason: String, fault: String?)
    }

    package init(_ number: Int, attempt: Int, _ event: Event) {
        (self.number, self.attempt, self.event) = (number, attempt, event)
    }

    /// Why it fails the case, a sentence; nil: it does not.
    package var fault: String? {
        switch event {
        case .sent: nil
        case .answered(_, _, let fault), .unanswered(_, let fault): fault.map { "webhook \(number): \($0)" }
        }
    }

    /// For a person.
    package var sentence: String {
        let name = "webhook \(number)" + (attempt > 0 ? ", try \(attempt + 1)" : "")
        let text =
            switch event {
            case .sent(let url, let id, let byteCount, let mistake):
                "\(name): POST \(url), \(id), \(Plural.count(byteCount, "byte"))" + (mistake.map { ", \($0)" } ?? "")
            case .answered(let status, let milliseconds, let fault):
                "\(name): \(fault ?? "\(status)") after \(milliseconds) ms"
            case .unanswered(let reason, let fault): "\(name): \(fault ?? reason)"
            }
        return PrintableText.sanitize(text, limit: 2_000)
    }
}
