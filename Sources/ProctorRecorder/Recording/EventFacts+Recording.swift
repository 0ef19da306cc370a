internal import Foundation
internal import ProctorBase
package import ProctorEvents

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

/// What was said and what was brought, in few bytes, so that a grader can hold it against what the server sent.
extension EventFacts {
    /// Bytes of header fields that are written down at most; longer ones are left out, all of them.
    private static let fieldByteLimit = 8 << 10

    /// `bytes` and `crc32` of a chunk, or of a whole body.
    package static func content(of bytes: some Collection<UInt8>) -> EventFacts {
        [EventFact(.bytes, .integer(bytes.count)), EventFact(.crc32, .integer(Int(CRC32.of(bytes))))]
    }

    /// Header fields as lines `name: value`, in the order in which they are given.
    ///
    /// Nothing where there are none, where they are too long, and where a value has a line end in it.
    package mutating func add(_ key: FactKey, fields: some Sequence<(name: String, value: String)>) {
        let lines = fields.map { "\($0.name): \($0.value)" }
        guard !lines.isEmpty, lines.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.fieldByteLimit,
            !lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) })
        else { return }
        add(key, lines.joined(separator: "\n"))
    }
}

/// What is written down of an error.
struct ErrorFacts {
    /// The neutral name, or `ok` where there is none.
    let name: String
    /// Domain, code and description; empty without an error.
    let facts: EventFacts

    init(_ error: (any Error)?) {
        guard let error else {
            name = "ok"
            facts = []
            return
        }
        let description = error as NSError
        name = URLErrorName.name(domain: description.domain, code: description.code)
        facts = [
            EventFact(.domain, .text(description.domain)), EventFact(.code, .integer(description.code)),
            EventFact(.message, .text(description.localizedDescription)),
        ]
    }
}
