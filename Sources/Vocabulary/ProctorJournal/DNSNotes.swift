/// One thing that the run's server of DNS was sent, or did.
public struct DNSNote: Sendable, Equatable {
    package let event: Event

    package enum Event: Sendable, Equatable {
        case question(DNSQuestionNote)
        /// What was done about the question of that number, from 0: `A 2 NOERROR`, `silent`, `wrong-id`.
        case reply(question: Int, text: String)
        /// The question of that number; nil for a message that has no reading. The offset counts from the first byte of the message.
        case violation(question: Int?, ViolationNote)
    }

    package init(_ event: Event) { self.event = event }

    /// For a person.
    package var sentence: String {
        switch event {
        case .question(let note):
            "question \(note.number) by \(note.transport): \(note.type) \(note.name), id \(note.id)"
        case .reply(let question, let text): "question \(question): \(text)"
        case .violation(_, let violation): "\(violation)"
        }
    }
}

/// A question to the run's server of DNS.
package struct DNSQuestionNote: Sendable, Equatable {
    /// Counts the questions of the run, from 0.
    package var number: Int
    /// `udp` or `tcp`.
    package var transport: String
    package var id: Int
    /// `AAAA`.
    package var type: String
    /// As it came, without a point at its end.
    package var name: String

    package init(number: Int, transport: String, id: Int, type: String, name: String) {
        (self.number, self.transport, self.id, self.type, self.name) = (number, transport, id, type, name)
    }
}
