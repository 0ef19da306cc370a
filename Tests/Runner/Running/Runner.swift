/// Runs rows of one kind of page.
protocol RowRunner: Sendable {
    /// Runs a row, and compares what came with its blocks by `check`; throws ``RowError`` for a row that can't be run.
    func run(_ row: Row, _ check: inout Check) async throws
}

/// A block, or one line of it, that got something else.
struct Mismatch: Sendable {
    let block: Block
    /// The index of the line in a block of cases; nil: the whole block.
    let lineInBlock: Int?
    let wanted: String
    let got: String
    /// Whether what came can be written into the block.
    var isOfBlock = true
    /// Whether a `…` of the block stands for itself.
    var isLiteral = false
}

/// What the blocks of one row wanted and got.
struct Check: Sendable {
    private(set) var mismatches: [Mismatch] = []
    /// Comparisons that were made; a row without one tests nothing.
    private(set) var count = 0
    /// Whether blocks may be empty, since what comes is written into them.
    let isRecording: Bool
    /// What blocks so far have named with `…name…`, and what a runner gave names to.
    var names: [String: String] = [:]

    init(isRecording: Bool) { self.isRecording = isRecording }

    /// Compares a block with what came; named parts can be used by later blocks.
    mutating func expect(_ block: Block, got: String) {
        if let found = TextPattern(block.text).captures(of: got) {
            accept(found)
        } else {
            count += 1
            mismatches.append(Mismatch(block: block, lineInBlock: nil, wanted: block.text, got: got))
        }
    }

    /// The same where a `…` stands for itself.
    mutating func expectLiterally(_ block: Block, got: String) {
        count += 1
        guard block.text != got else { return }
        mismatches.append(Mismatch(block: block, lineInBlock: nil, wanted: block.text, got: got, isLiteral: true))
    }

    /// Counts a comparison that held, with what it named.
    mutating func accept(_ found: [String: String]) {
        count += 1
        names.merge(found) { _, last in last }
    }

    /// Compares the line of a block of cases, `given => wanted`.
    mutating func expect(_ block: Block, line: Int, given: String, wanted: String, got: String) {
        expect(block, line: line, isSame: LinePattern(wanted).matches(got), given: given, wanted: wanted, got: got)
    }

    /// The same where a `…` stands for itself.
    mutating func expect(_ block: Block, line: Int, isSame: Bool, given: String, wanted: String, got: String) {
        count += 1
        guard !isSame else { return }
        mismatches.append(
            Mismatch(block: block, lineInBlock: line, wanted: "\(given) => \(wanted)", got: "\(given) => \(got)"))
    }

    /// A comparison that has no block of its own, such as the same bytes read in another way.
    mutating func require(
        _ holds: Bool, _ block: Block, _ wanted: @autoclosure () -> String, got: @autoclosure () -> String
    ) {
        count += 1
        if !holds {
            mismatches.append(
                Mismatch(block: block, lineInBlock: nil, wanted: wanted(), got: got(), isOfBlock: false))
        }
    }

    /// The text with `$(name)` replaced by what earlier blocks have named.
    func fill(_ text: String) -> String {
        guard text.contains("$(") else { return text }
        return names.reduce(text) { $0.replacing("$(\($1.key))", with: $1.value) }
    }
}
