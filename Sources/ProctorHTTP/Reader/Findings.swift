/// What a parser found in one section of a message that can be read over, with offsets counted from the message's start.
struct Findings: Sendable {
    /// Whose table says what can be read over.
    let message: MessageKind
    /// Where the section begins in its message.
    var base = 0
    private(set) var violations: [Violation] = []

    init(of message: MessageKind) { self.message = message }

    mutating func note(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = []) {
        violations.append(Violation(kind, in: message, at: base + offset, detail: detail))
    }

    /// Makes a violation that ends the reading; to be thrown.
    func fatal(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil) -> Violation {
        Violation(kind, in: message, at: base + offset, detail: detail, bound: bound)
    }

    /// Throws what is fatal in this kind of message and notes what is not; for kinds on which requests and replies differ.
    mutating func judge(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = []) throws(Violation) {
        guard !kind.isFatal(in: message) else { throw fatal(kind, at: offset, detail) }
        note(kind, at: offset, detail)
    }

    /// Hands out what was noted, by offset, those at the same byte in the order they were found; nothing is left.
    mutating func take() -> [Violation] {
        base = 0
        guard !violations.isEmpty else { return [] }
        defer { violations = [] }
        guard violations.count > 1 else { return violations }
        return violations.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
    }
}
