package import ProctorEvents

/// What follows where a program says a key, but for the abilities that its client needs then.
package struct KeyTraits: Sendable, Equatable {
    /// The ability to keep the limit of time that the value is, in milliseconds.
    package var limits: Ability?
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
    /// The keys of ``keys`` from which something follows.
    static var tellingKeys: [AssignmentKey<Self>] { get }
}

/// A trait of a key that a program says, with the value.
private struct SaidKey<Trait> {
    let name: StaticString
    let trait: Trait
    let value: any Sendable
}

// Closures in place of key paths: in code that is generic over the program a key path is made anew at each call.
extension KeyedProgram {
    /// The keys that it says and that have the trait.
    private func said<Trait>(_ trait: (KeyTraits) -> Trait?) -> [SaidKey<Trait>] {
        var said: [SaidKey<Trait>] = []
        for key in Self.tellingKeys {
            guard let trait = trait(key.traits), let value = key.said(self) else { continue }
            said.append(SaidKey(name: key.name, trait: trait, value: value))
        }
        return said
    }

    /// Whether a load may end before its reply does.
    package var canEndLoad: Bool { !said { $0.endsLoad ? true : nil }.isEmpty }

    /// Milliseconds by which a load may end later.
    package var delay: Int { said { $0.delays ? true : nil }.reduce(0) { $0 + ($1.value as? Int ?? 0) } }

    /// The milliseconds of the limit that needs that ability; nil: none.
    package func limit(for ability: Ability) -> Int? { said { $0.limits == ability ? true : nil }.first?.value as? Int }

    /// The moments at which the client acts, with their keys.
    package var moments: [(key: String, moment: Assignment.Moment)] {
        said { $0.isMoment ? true : nil }.compactMap { key in
            (key.value as? Assignment.Moment).map { ("\(key.name)", $0) }
        }
    }

    /// The answers that are not the usual ones, with the methods that give them.
    package var answers: [(key: String, method: DelegateMethod)] {
        said { $0.answers }.map { ("\($0.name)", $0.trait) }
    }

    /// Why it can't be performed in a place, half a sentence; nil when it can.
    package func obstacle(in place: ProgramPlace) -> String? { said { $0.obstacles[place] }.first?.trait }
}
