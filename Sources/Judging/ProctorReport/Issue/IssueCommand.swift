import ProctorBase

/// The command that ran a client, so that a script can run it again.
package struct IssueCommand: Sendable {
    /// The command as its author wrote it, with its placeholders.
    package let text: String
    /// The words that were run.
    let words: [[Piece]]
    /// The variables by which it finds a proxy, or that there is none.
    let environment: [String: String]
    /// The exit codes beside 0 that tell no failed load.
    let harmlessCodes: [Int]
    /// Whether it is an adapter, to which the assignment is given on standard input.
    let isAdapter: Bool

    /// A part of a word.
    enum Piece: Sendable, Equatable {
        case text(String)
        case file(File)
    }

    /// A file that the script makes.
    package enum File: String, Sendable {
        /// The content that the command writes.
        case output = "OUT"
        /// The content of the request.
        case body = "BODY"
        /// The authority that it trusts.
        case authority = "CA"

        /// Stands for the file's path in a word; no word of a command holds a NUL.
        package var mark: String { "\0\(rawValue)\0" }
    }

    /// A command line; ``File/mark`` stands in its words for the path of a file.
    package init(line: String, words: [String], environment: [String: String], harmlessCodes: [Int]) {
        (text, self.environment, self.harmlessCodes) = (line, environment, harmlessCodes)
        self.words = words.map(Self.pieces)
        isAdapter = false
    }

    /// An adapter that is not among the shipped ones.
    package init(adapter: [String]) {
        text = adapter.map(ShellWords.quote).joined(separator: " ")
        words = adapter.map { [.text($0)] }
        (environment, harmlessCodes, isAdapter) = (["NO_PROXY": "*", "no_proxy": "*"], [], true)
    }

    private static func pieces(of word: String) -> [Piece] {
        let parts = word.split(separator: "\0", omittingEmptySubsequences: false)
        let pieces = parts.enumerated().compactMap { index, part -> Piece? in
            if index % 2 == 1, let file = File(rawValue: String(part)) { return .file(file) }
            return part.isEmpty ? nil : .text(String(part))
        }
        return pieces.isEmpty ? [.text("")] : pieces
    }
}
