internal import ProctorScenario

/// The effects of a reply that wait for their positions; each is taken once, in the order of the file at one position.
struct Cues {
    fileprivate var waiting: [Cue]

    struct Cue {
        let position: Effect.Position
        let action: Effect.Action
    }

    init(_ effects: [Effect], _ binding: inout ReplyPlanner.Binding) {
        waiting = effects.map { Cue(position: $0.position, action: binding.bound($0.action)) }
    }

    /// Puts effects that stand between the pieces of a body before the others.
    mutating func prepend(_ inline: [Cue]) {
        waiting = inline + waiting
    }

    /// Where a raw reply must be cut.
    func offsets(in range: Range<Int>) -> [Int] {
        cuts(in: range) { $0.rawOffset }
    }

    /// Where the head must be cut.
    func headOffsets(in range: Range<Int>) -> [Int] {
        cuts(in: range) { if case .head(let offset) = $0 { offset } else { nil } }
    }

    /// Where the content must be cut.
    func bodyOffsets(in range: Range<Int>) -> [Int] {
        cuts(in: range) { if case .body(let offset) = $0 { offset } else { nil } }
    }

    /// Where the framed body must be cut.
    func wireOffsets(in range: Range<Int>) -> [Int] {
        cuts(in: range) { if case .wire(let offset) = $0 { offset } else { nil } }
    }

    private func cuts(in range: Range<Int>, _ offset: (Effect.Position) -> Int?) -> [Int] {
        waiting.compactMap { offset($0.position) }.filter { range.contains($0) }.sorted()
    }

    mutating func playBefore(rawOffset limit: Int, into list: inout StepList) {
        play(into: &list) { ($0.rawOffset ?? .max) <= limit }
    }

    mutating func playBefore(headOffset limit: Int, into list: inout StepList) {
        play(into: &list) { if case .head(let offset) = $0 { offset <= limit } else { false } }
    }

    mutating func playBefore(bodyOffset limit: Int, into list: inout StepList) {
        play(into: &list) { if case .body(let offset) = $0 { offset <= limit } else { false } }
    }

    mutating func playBefore(wireOffset limit: Int, into list: inout StepList) {
        play(into: &list) { if case .wire(let offset) = $0 { offset <= limit } else { false } }
    }

    /// Whatever stands at the end, or beyond it.
    mutating func playRest(into list: inout StepList) {
        play(into: &list) { if case .end = $0 { false } else { true } }
        play(into: &list) { _ in true }
    }

    /// By offset, and by the order of the file at one offset.
    private mutating func play(into list: inout StepList, _ isDue: (Effect.Position) -> Bool) {
        guard !waiting.isEmpty else { return }
        let due = waiting.filter { isDue($0.position) }
        guard !due.isEmpty else { return }
        waiting.removeAll { isDue($0.position) }
        for cue in due.sorted(by: { $0.position.sortOffset < $1.position.sortOffset }) {
            list.effect(cue.action, at: cue.position.text)
        }
    }
}

extension Effect.Position {
    /// The offset in a reply whose parts we do not know; nil for the end.
    fileprivate var rawOffset: Int? {
        switch self {
        case .head(let offset), .body(let offset), .wire(let offset): offset
        case .end: nil
        }
    }

    fileprivate var sortOffset: Int { rawOffset ?? .max }
}

extension Cues {
    /// Forgets positions in a body that is not sent.
    mutating func dropBody() {
        waiting.removeAll { cue in
            switch cue.position {
            case .body, .wire: true
            case .head, .end: false
            }
        }
    }
}
