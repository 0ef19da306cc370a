internal import ProctorBase

/// What the OpenAPI description of a scenario says of a request, or of the reply to it.
public struct DescriptionNote: Sendable, Equatable {
    package let message: Message
    /// `POST /orders/{id}`; nil where the description does not know the request.
    package let operation: String?
    /// In the order in which they were found; at most 20.
    package let faults: [Fault]
    /// What could not be judged, each half a sentence with its reason; at most 20.
    package let open: [String]

    package enum Message: String, Sendable, CaseIterable { case request, reply }

    package struct Fault: Sendable, Equatable {
        /// `query parameter page`, `body`.
        package let part: String
        /// The JSON pointer within the part; empty for all of it.
        package let pointer: String
        /// The JSON pointer in the description.
        package let schemaPointer: String
        /// `orders.yaml:12:7`.
        package let place: String
        package let sentence: String

        package init(part: String, pointer: String, schemaPointer: String, place: String, sentence: String) {
            (self.part, self.pointer, self.schemaPointer, self.place) = (part, pointer, schemaPointer, place)
            self.sentence = sentence
        }

        /// `body /items/0: wanted an integer, got "x" (orders.yaml:12:7 #/paths/…)`.
        package var text: String {
            "\(part)\(pointer.isEmpty ? "" : " " + EscapedText.escape(pointer.utf8)): \(sentence) "
                + "(\(place) #\(EscapedText.escape(schemaPointer.utf8)))"
        }
    }

    package init(_ message: Message, operation: String?, faults: [Fault], open: [String]) {
        (self.message, self.operation, self.faults, self.open) = (message, operation, faults, open)
    }

    /// For a person, with the first three faults.
    package var sentence: String {
        let owner = message == .request ? "the request" : "the scenario's reply"
        let operation = operation.map { " under \($0)" } ?? ""
        guard !faults.isEmpty else {
            return PrintableText.sanitize(
                "\(owner) is not judged\(operation): \(open.joined(separator: "; "))", limit: 2_000)
        }
        let shown = faults.prefix(3).map(\.text).joined(separator: "; ")
        let rest = faults.count > 3 ? "; \(Plural.count(faults.count - 3, "other fault"))" : ""
        return PrintableText.sanitize("\(owner) is not as described\(operation): \(shown)\(rest)", limit: 2_000)
    }
}

/// Judges the messages of a run while its journal is written; any thread may call it.
package protocol MessageJudge: Sendable {
    /// What an event adds to the journal behind it; called by the thread that appended it, without the journal's lock.
    func judgements(
        of event: JournalEvent, epoch: Int, connection: Int?, request: Int?
    ) -> [JournalEvent]
}
