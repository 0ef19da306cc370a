/// A name of the state, declared at the top of a file.
package struct StateName: Sendable, Equatable {
    package let name: [UInt8]
    /// The value at the beginning of a run; nil: not set.
    package let value: [UInt8]?

    package init(name: [UInt8], value: [UInt8]?) {
        (self.name, self.value) = (name, value)
    }
}

/// A condition on a value of the state, which must hold for an exchange to answer.
package struct StateCondition: Sendable {
    package let name: Template
    package let value: Wanted

    package init(name: Template, value: Wanted) {
        (self.name, self.value) = (name, value)
    }

    package indirect enum Wanted: Sendable, Equatable {
        /// A condition that is the same for all requests; `absent` holds when the name is not set.
        case fixed(ValueCondition)
        /// The value equals this text, with values of the request, byte for byte.
        case equals(Template)
        case not(Wanted)
        /// One of these conditions; never empty.
        case anyOf([Wanted])
    }
}

extension StateCondition.Wanted {
    /// The condition for one request; `bytes` returns the text of a template.
    package func bound<Failure: Error>(
        _ bytes: (Template) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ValueCondition {
        switch self {
        case .fixed(let condition): return condition
        case .equals(let template):
            return .text(BytePattern(exactly: try bytes(template)))
        case .not(let wanted): return .not(try wanted.bound(bytes))
        case .anyOf(let all):
            var conditions: [ValueCondition] = []
            for wanted in all { conditions.append(try wanted.bound(bytes)) }
            return .anyOf(conditions)
        }
    }

    /// The texts with values of the request that the value is compared with.
    package var templates: [Template] {
        switch self {
        case .fixed: []
        case .equals(let template): [template]
        case .not(let wanted): wanted.templates
        case .anyOf(let all): all.flatMap(\.templates)
        }
    }
}

/// A change of the state by a reply, made when the reply's turn is used.
package struct StateSetting: Sendable {
    package let name: Template
    package let change: Change

    package init(name: Template, change: Change) {
        (self.name, self.change) = (name, change)
    }

    package enum Change: Sendable, Equatable {
        case set(Template)
        case remove
        /// Adds to a whole number; a name that is not set counts as 0.
        case add(Int)
        /// Adds a whole number, given as a text with values of the request.
        case addText(Template)
    }
}

/// One turn of an exchange whose replies are drawn at random, with their weights.
package struct ReplyDraw: Sendable, Equatable {
    /// The index of its first reply in the exchange; the others are adjacent.
    package let first: Int
    /// The weight of each reply, from 1; never empty.
    package let weights: [Int]

    package init(first: Int, weights: [Int]) {
        (self.first, self.weights) = (first, weights)
    }

    package var totalWeight: Int { weights.reduce(0, +) }

    /// The index of the reply for a number from 0 to ``totalWeight`` - 1.
    package func reply(for number: Int) -> Int {
        var rest = number
        for (offset, weight) in weights.enumerated() {
            if rest < weight { return first + offset }
            rest -= weight
        }
        return first + weights.count - 1
    }

    /// The greatest weight of one reply.
    package static let mostWeight = 1_000_000
}

extension Scenario {
    package var hasState: Bool {
        !state.isEmpty || !scripts.isEmpty
            || exchanges.contains { exchange in
                !exchange.when.isEmpty || exchange.replies.contains { !$0.sets.isEmpty }
            }
    }
}

extension Exchange {
    /// The number of turns before the last one repeats.
    package var turnCount: Int { draws.isEmpty ? replies.count : draws.count }
}
