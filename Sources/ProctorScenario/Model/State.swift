/// A name of the state that the top of a file declares.
package struct StateName: Sendable, Equatable {
    package let name: [UInt8]
    /// At the beginning of a run; nil: not set.
    package let value: [UInt8]?
}

/// What a value of the state must be like, so that an exchange answers.
package struct StateCondition: Sendable {
    package let name: Template
    package let value: Wanted

    package indirect enum Wanted: Sendable, Equatable {
        /// The same for all requests; `absent` holds where the name is not set.
        case fixed(ValueCondition)
        /// The value is this text of the request, byte for byte.
        case equals(Template)
        case not(Wanted)
        /// Never empty.
        case anyOf([Wanted])
    }
}

extension StateCondition.Wanted {
    /// The condition for one request; `bytes` gives the text of a template.
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

    /// The texts of the request that it compares with.
    package var templates: [Template] {
        switch self {
        case .fixed: []
        case .equals(let template): [template]
        case .not(let wanted): wanted.templates
        case .anyOf(let all): all.flatMap(\.templates)
        }
    }
}

/// A change of the state that a reply makes when its turn is taken.
package struct StateSetting: Sendable {
    package let name: Template
    package let change: Change

    package enum Change: Sendable, Equatable {
        case set(Template)
        case remove
        /// Adds to a whole number; a name that is not set counts as 0.
        case add(Int)
        /// Adds the whole number that a text of the request is.
        case addText(Template)
    }
}

/// One turn of an exchange whose replies are chosen at random: replies with their weights.
package struct ReplyDraw: Sendable, Equatable {
    /// The index of its first reply among those of the exchange; the others follow.
    package let first: Int
    /// Of each reply, from 1; never empty.
    package let weights: [Int]

    package var totalWeight: Int { weights.reduce(0, +) }

    /// The index of the reply for a number from 0 up to ``totalWeight``, which it does not reach.
    package func reply(for number: Int) -> Int {
        var rest = number
        for (offset, weight) in weights.enumerated() {
            if rest < weight { return first + offset }
            rest -= weight
        }
        return first + weights.count - 1
    }

    /// The greatest weight of one reply.
    static let mostWeight = 1_000_000
}

extension Scenario {
    /// Whether anything is remembered.
    package var hasState: Bool {
        !state.isEmpty || !scripts.isEmpty
            || exchanges.contains { exchange in
                !exchange.when.isEmpty || exchange.replies.contains { !$0.sets.isEmpty }
            }
    }
}

extension Exchange {
    /// How many turns there are before the last one repeats.
    package var turnCount: Int { draws.isEmpty ? replies.count : draws.count }
}
