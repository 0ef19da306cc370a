/// What a parser found in one section of a message that can be read over, with offsets counted from the message's start.
struct Findings: Sendable {
    /// Request or reply; decides what can be read over.
    let message: MessageKind
    /// Whether what would end the reading is noted where the message still has a reading.
    let acceptsAnything: Bool
    /// Where the section begins in its message.
    var base = 0
    private(set) var violations: [Violation] = []

    init(of message: MessageKind, acceptsAnything: Bool = false) {
        self.message = message
        self.acceptsAnything = acceptsAnything
    }

    mutating func note(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil) {
        violations.append(
            Violation(
                kind, in: message, at: base + offset, detail: detail, bound: bound,
                isReadOver: kind.isFatal(in: message)))
    }

    /// Makes a violation that ends the reading; to be thrown.
    func fatal(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil) -> Violation {
        Violation(kind, in: message, at: base + offset, detail: detail, bound: bound)
    }

    /// Throws what is fatal in this kind of message and notes what is not, or what is to be read over; for kinds behind
    /// which a message can still be read.
    mutating func judge(
        _ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil
    ) throws(Violation) {
        guard acceptsAnything || !kind.isFatal(in: message) else {
            throw fatal(kind, at: offset, detail, bound: bound)
        }
        note(kind, at: offset, detail, bound: bound)
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
