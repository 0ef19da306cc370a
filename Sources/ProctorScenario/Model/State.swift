/// A name of the state that the top of a file declares.
package struct StateName: Sendable, Equatable {
    package let name: [UInt8]
    /// At the beginning of a run; nil: not set.
    package let value: [UInt8]?
}

/// What a value of the state must be like, so that an exchange answers.
package struct StateCondition: Sendable {
    package let name: Template
    /// `absent` holds where the name is not set.
    package let value: ValueCondition
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
