import Foundation
import ProctorBase
import ProctorProgram

extension ReaderRunner {
    static let assignments: [String: DataReader] = [
        // An assignment as an adapter is given it: how it is written again, and the words in it that nobody knows. Words: `at
        // POINTER` (that value alone), `keys` (which are written), `launches`, `encoded` (by an encoder of this file).
        "assignment": .textBytes { input, block in
            let assignment = try JSONDecoder().decode(Assignment.self, from: Data(input))
            if block.has("launches") { return assignment.launches(storage: "/kept").map { AssignmentLines.part($0) } }
            if block.has("encoded") {
                return assignment.encoded(by: Plain()).steps.map {
                    ValueText.text(($0.url, $0.headers, $0.body?.text, $0.form, $0.query))
                }
            }
            let json = assignment.json
            var lines: [String] = []
            if let pointer = block.value(of: "at") {
                let document = try JSONDocument(parsing: json)
                let index = document.index(at: try JSONPointer(pointer))
                lines.append(index.map { Parts.text(document.text(of: $0)) } ?? "left out")
            } else {
                lines.append(json == input ? "written as it was" : "written \(Parts.text(json))")
            }
            let again = try JSONDecoder().decode(Assignment.self, from: Data(json))
            // What nobody knows has its default from then on.
            if again != assignment, assignment.unknownWord() == nil { lines.append("read back as another") }
            return lines + AssignmentLines.unknown(assignment)
        },
        // `WORD SCHEME PATH`.
        "protocol-class": .line { text in
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 3, let takes = ProtocolClass.Takes(words[0]) else { return "no word" }
            let isTaken = ProtocolClass("p", takes: takes).takes(scheme: words[1], path: words[2])
            return takes.text == words[0] ? (isTaken ? "taken" : "left") : "written \(takes.text)"
        },
    ]
}

private enum AssignmentLines {
    static func unknown(_ assignment: Assignment) -> [String] {
        let session = assignment.session.unknownWords.map { "unknown session \($0.key): \($0.word)" }
        let steps = assignment.steps.enumerated().flatMap { index, step in
            step.unknownWords.map { "unknown step \(index) \($0.key): \($0.word)" }
        }
        let first = assignment.unknownWord().map { ["first unknown \($0)"] } ?? []
        return session + steps + first
    }

    /// What one process of the client is given.
    static func part(_ part: Assignment) -> String {
        let urls = part.steps.map(\.url).joined(separator: " ")
        return "\(urls), storage \(part.storage ?? "none"), behind \(part.earlierSteps.map { "\($0)" } ?? "none"), "
            + "end at \(part.session.endAt.map { ValueText.text($0) } ?? "none"), "
            + "cache \(part.session.cache.map { "\($0)" } ?? "none"), launches \(part.hasLaunches)"
    }
}

/// So that its work is seen: `a~1!b~2`.
private struct Plain: ValueEncoder {
    func form(_ pairs: [[String]]) -> String { pairs.map { $0.joined(separator: "~") }.joined(separator: "!") }
    func query(_ pairs: [[String]]) -> String { form(pairs) }
}
