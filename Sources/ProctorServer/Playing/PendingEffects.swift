internal import ProctorScenario

/// The effects of a reply that were not played yet; effects at one position are in the order of the file.
struct PendingEffects {
    private var waiting: [Item]

    struct Item {
        let position: Effect.Position
        let action: Effect.Action
    }

    /// The start of offsets.
    enum Scale {
        /// A reply without known parts: every offset counts from its first byte.
        case raw
        case head
        case content
        /// The body with its framing.
        case wire

        /// Nil for a position with another start.
        func offset(of position: Effect.Position) -> Int? {
            switch (self, position) {
            case (.raw, _): position.offset
            case (.head, .head(let offset)), (.content, .body(let offset)), (.wire, .wire(let offset)): offset
            case (.head, _), (.content, _), (.wire, _): nil
            }
        }
    }

    init(_ effects: [Effect], _ inputs: inout PlanInputs) {
        waiting = effects.map { Item(position: $0.position, action: inputs.bound($0.action)) }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Puts effects between the pieces of a body before the others.
    mutating func prepend(_ inline: [Item]) {
        waiting = inline + waiting
    }

    mutating func dropBody() {
        waiting.removeAll { item in
            switch item.position {
            case .body, .wire: true
            case .head, .end: false
            }
        }
    }

    /// Ascending offsets at which the bytes of that range must be cut.
    func offsets(in range: Range<Int>, of scale: Scale) -> [Int] {
        waiting.compactMap { scale.offset(of: $0.position) }.filter { range.contains($0) }.sorted()
    }

    mutating func play(before offset: Int, of scale: Scale, into list: inout StepList) {
        play(into: &list) { (scale.offset(of: $0) ?? .max) <= offset }
    }

    /// Plays all other effects: those at the end, or beyond it.
    mutating func playRest(into list: inout StepList) {
        play(into: &list) { $0 != .end }
        play(into: &list) { _ in true }
    }

    /// Ordered by offset, then by the order of the file.
    private mutating func play(into list: inout StepList, _ isDue: (Effect.Position) -> Bool) {
        guard !waiting.isEmpty else { return }
        let due = waiting.filter { isDue($0.position) }
        guard !due.isEmpty else { return }
        waiting.removeAll { isDue($0.position) }
        for item in due.sorted(by: { ($0.position.offset ?? .max) < ($1.position.offset ?? .max) }) {
            list.effect(item.action, at: item.position.text)
        }
    }
}

extension Effect.Position {
    /// Nil for the end.
    fileprivate var offset: Int? {
        switch self {
        case .head(let offset), .body(let offset), .wire(let offset): offset
        case .end: nil
        }
    }

    var text: String {
        switch self {
        case .head(0): "head"
        case .head(let offset): "head \(offset)"
        case .body(let offset): "body \(offset)"
        case .wire(let offset): "wire \(offset)"
        case .end: "end"
        }
    }
}
