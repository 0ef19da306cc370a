internal import ProctorTrace

/// Facts, with those left out that are not known.
extension EventFacts {
    mutating func add(_ key: FactKey, _ value: Int?) {
        if let value { append(EventFact(key, .integer(value))) }
    }

    mutating func add(_ key: FactKey, _ value: String?) {
        if let value { append(EventFact(key, .text(value))) }
    }

    mutating func add(_ key: FactKey, _ value: Bool?) {
        if let value { append(EventFact(key, .flag(value))) }
    }

    func appending(_ others: EventFacts) -> EventFacts { EventFacts(Array(self) + Array(others)) }
}
