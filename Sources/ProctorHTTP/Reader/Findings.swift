/// What a parser found in one section of a request that can be read over, with offsets counted from the request's
/// start.
struct Findings: Sendable {
    /// Where the section begins in its request.
    var base: Int
    private(set) var violations: [Violation] = []

    init(base: Int) { self.base = base }

    mutating func note(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = []) {
        violations.append(Violation(kind, at: base + offset, detail: detail))
    }

    /// Makes a violation that ends the reading; to be thrown.
    func fatal(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil) -> Violation {
        Violation(kind, at: base + offset, detail: detail, bound: bound)
    }

    /// By offset; those at the same byte in the order they were found.
    mutating func sort() {
        guard violations.count > 1 else { return }
        violations = violations.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
    }
}
