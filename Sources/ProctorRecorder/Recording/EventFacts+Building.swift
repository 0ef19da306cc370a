package import ProctorTrace

/// Facts, with those left out that are not known.
extension EventFacts {
    /// Nothing for nil.
    package mutating func add(_ key: FactKey, _ value: Int?) {
        if let value { append(EventFact(key, .integer(value))) }
    }

    /// Nothing for nil.
    package mutating func add(_ key: FactKey, _ value: String?) {
        if let value { append(EventFact(key, .text(value))) }
    }

    /// Nothing for nil.
    package mutating func add(_ key: FactKey, _ value: Bool?) {
        if let value { append(EventFact(key, .flag(value))) }
    }

    /// These, then the others; the first of a key counts.
    package func appending(_ others: EventFacts) -> EventFacts { EventFacts(Array(self) + Array(others)) }

    /// The numbers of a progress callback.
    package static func arithmetic(n: Int, total: Int, expected: Int) -> EventFacts {
        [EventFact(.n, .integer(n)), EventFact(.total, .integer(total)), EventFact(.expected, .integer(expected))]
    }
}
