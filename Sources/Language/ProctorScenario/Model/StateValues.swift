import ProctorBase
package import ProctorJournal

/// The values of a run's state, with bounds on their number and size.
package struct StateValues: Sendable, Equatable {
    package private(set) var all: [[UInt8]: [UInt8]] = [:]
    /// The bytes of all names and values.
    private var byteCount = 0

    /// The most names that may be set.
    package static let nameLimit = 256
    package static let nameByteLimit = 1024
    package static let valueByteLimit = 64 << 10
    /// The most bytes of all names and values together.
    package static let byteLimit = 1 << 20

    package init() {}

    /// The initial values of a scenario, which were checked when it was loaded.
    package init(_ names: [StateName]) {
        for name in names { try? set(name.name, to: name.value) }
    }

    package subscript(name: [UInt8]) -> [UInt8]? { all[name] }

    package mutating func set(_ name: [UInt8], to value: [UInt8]?) throws(StateRefusal) {
        func refuse(_ reason: String) -> StateRefusal { StateRefusal(name, reason: reason) }
        let former = all[name]
        guard let value else {
            guard let former else { return }
            byteCount -= name.count + former.count
            all[name] = nil
            return
        }
        guard !name.isEmpty else { throw refuse("a name of the state is not empty") }
        guard name.count <= Self.nameByteLimit else {
            throw refuse("the name has \(name.count) bytes; at most \(Self.nameByteLimit) are permitted")
        }
        guard value.count <= Self.valueByteLimit else {
            throw refuse("the value has \(value.count) bytes; at most \(Self.valueByteLimit) are permitted")
        }
        guard former != nil || all.count < Self.nameLimit else {
            throw refuse("\(Self.nameLimit) names are set, which is the limit")
        }
        let sum = byteCount + value.count + (former.map { -$0.count } ?? name.count)
        guard sum <= Self.byteLimit else {
            throw refuse("all names and values would have \(sum) bytes; at most \(Self.byteLimit) are permitted")
        }
        byteCount = sum
        all[name] = value
    }

    /// Adds to a whole number; a name that is not set counts as 0.
    package mutating func add(_ number: Int, to name: [UInt8]) throws(StateRefusal) {
        let old = all[name]
        guard let value = old.map(Self.wholeNumber) ?? 0 else {
            throw StateRefusal(
                name,
                reason: "\"\(EscapedText.escape(old ?? [], limit: 60))\" is no whole number, so nothing can be added")
        }
        let (sum, overflow) = value.addingReportingOverflow(number)
        guard !overflow else {
            throw StateRefusal(name, reason: "\(value) plus \(number) does not fit into 64 bits")
        }
        try set(name, to: Array(String(sum).utf8))
    }

    /// Adds a whole number, given as text.
    package mutating func add(text: [UInt8], to name: [UInt8]) throws(StateRefusal) {
        guard let number = Self.wholeNumber(text) else {
            throw StateRefusal(
                name, reason: "\"\(EscapedText.escape(text, limit: 60))\" is no whole number, so it can't be added")
        }
        try add(number, to: name)
    }

    /// Reads an optional minus sign and digits; nil for other bytes, and for more than 64 bits.
    private static func wholeNumber(_ bytes: [UInt8]) -> Int? {
        guard bytes.count <= 20, let first = bytes.first, first.isASCIIDigit || first == UInt8(ascii: "-") else {
            return nil
        }
        return Int(String(decoding: bytes, as: UTF8.self))
    }
}
