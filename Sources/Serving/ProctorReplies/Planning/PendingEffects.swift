package import ProctorScenario

/// The effects of a reply that were not played yet; effects at one position are in the order of the file.
package struct PendingEffects {
    private var waiting: [Item]

    package struct Item {
        package let position: Effect.Position
        package let action: Effect.Action
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

    /// The effects before frames, by the number of the frame, then in the order of the file.
    package private(set) var beforeFrames: [BeforeFrame]

    /// An effect that is played before a frame of the reply; 0 is the first one.
    package struct BeforeFrame: Sendable {
        package let frame: Int
        package let action: Effect.Action
    }

    package init(_ effects: [Effect], _ inputs: inout PlanInputs) {
        var waiting: [Item] = []
        var beforeFrames: [BeforeFrame] = []
        for effect in effects {
            let action = inputs.bound(effect.action)
            if case .frame(let frame) = effect.position {
                beforeFrames.append(BeforeFrame(frame: frame, action: action))
            } else {
                waiting.append(Item(position: effect.position, action: action))
            }
        }
        self.waiting = waiting
        // In the order of the file where the frame is the same: the sort is stable.
        self.beforeFrames = beforeFrames.sorted { $0.frame < $1.frame }
    }

    package var isEmpty: Bool { waiting.isEmpty && beforeFrames.isEmpty }

    /// Puts effects between the pieces of a body before the others.
    mutating func prepend(_ inline: [Item]) {
        guard !inline.isEmpty else { return }
        waiting = inline + waiting
    }

    mutating func dropBody() {
        waiting.removeAll { item in
            switch item.position {
            case .body, .wire: true
            case .head, .frame, .end: false
            }
        }
    }

    /// Ascending offsets at which the bytes of that range must be cut.
    func offsets(in range: Range<Int>, of scale: Scale) -> [Int] {
        guard !waiting.isEmpty else { return [] }
        return waiting.compactMap { scale.offset(of: $0.position) }.filter { range.contains($0) }.sorted()
    }

    mutating func appendDue(before offset: Int, of scale: Scale, into list: inout StepList) {
        appendDue(into: &list) { (scale.offset(of: $0) ?? .max) <= offset }
    }

    /// Plays all other effects: those at the end, or beyond it.
    mutating func playRest(into list: inout StepList) {
        appendDue(into: &list) { $0 != .end }
        appendDue(into: &list) { _ in true }
    }

    /// Ordered by offset, then by the order of the file.
    private mutating func appendDue(into list: inout StepList, _ isDue: (Effect.Position) -> Bool) {
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
        case .frame, .end: nil
        }
    }
}
