package import ProctorEvents

/// What follows where a program says a key; everything that is not about one client's act is read from here.
package struct KeyTraits: Sendable {
    /// What a client must be able to do.
    package var needs: Ability?
    /// The method of a delegate whose answer the key is.
    package var answers: DelegateMethod?
    /// Whether a load may end before its reply does.
    package var endsLoad = false
    /// Whether the value is milliseconds by which a load may end later.
    package var delays = false
    /// Whether the value is a moment at which the client acts.
    package var isMoment = false
    /// Whether a later step may say the key for itself, in place of the session.
    package var isOfStep = false
    /// Why it can't be done in a place, half a sentence.
    package var obstacles: [ProgramPlace: String] = [:]
}

/// Where not every program can be performed.
package enum ProgramPlace: Sendable {
    /// Over HTTP/2, whose requests share a connection.
    case http2
    /// In a command line of curl.
    case curl
}

/// A step or a session, of which is known what follows from each of its keys.
package protocol KeyedProgram: Sendable {
    static var keys: [AssignmentKey<Self>] { get }
}

extension KeyedProgram {
    /// The keys that it says and that have the trait, with their values.
    private func said(where hasTrait: (KeyTraits) -> Bool) -> [(key: AssignmentKey<Self>, value: any Sendable)] {
        Self.keys.compactMap { key in hasTrait(key.traits) ? key.said(self).map { (key, $0) } : nil }
    }

    /// What a client must be able to do by keys alone.
    package var neededAbilities: Set<Ability> { Set(said { $0.needs != nil }.compactMap(\.key.traits.needs)) }

    /// Whether a load may end before its reply does.
    package var canEndLoad: Bool { !said(where: \.endsLoad).isEmpty }

    /// Milliseconds by which a load may end later.
    package var delay: Int { said(where: \.delays).reduce(0) { $0 + ($1.value as? Int ?? 0) } }

    /// The milliseconds that a key says which needs that ability; nil: none.
    package func limit(for ability: Ability) -> Int? { said { $0.needs == ability }.first?.value as? Int }

    /// The moments at which the client acts, with their keys.
    package var moments: [(key: String, moment: Assignment.Moment)] {
        said(where: \.isMoment).compactMap { key, value in (value as? Assignment.Moment).map { ("\(key.name)", $0) } }
    }

    /// The answers that are not the usual ones, with the methods that give them.
    package var answers: [(key: String, method: DelegateMethod)] {
        said { $0.answers != nil }.compactMap { said in said.key.traits.answers.map { ("\(said.key.name)", $0) } }
    }

    /// Why it can't be performed in a place, half a sentence; nil when it can.
    package func obstacle(in place: ProgramPlace) -> String? {
        said { $0.obstacles[place] != nil }.compactMap { $0.key.traits.obstacles[place] }.first
    }
}
