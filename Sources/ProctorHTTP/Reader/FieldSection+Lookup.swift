import ProctorBase

/// Names are compared without regard to ASCII letter case (RFC 9110 §5.1).
extension FieldSection {
    /// The value of the first line of this name.
    public func first(named name: StaticString) -> ArraySlice<UInt8>? {
        entries.first { matches($0, name) }.map(value)
    }

    /// The value of the first line of this name.
    public func first(named name: [UInt8]) -> ArraySlice<UInt8>? {
        entries.first { matches($0, name) }.map(value)
    }

    /// The values of all lines of this name, in order.
    public func values(named name: StaticString) -> [ArraySlice<UInt8>] {
        entries.lazy.filter { matches($0, name) }.map(value)
    }

    /// The values of all lines of this name, in order.
    public func values(named name: [UInt8]) -> [ArraySlice<UInt8>] {
        entries.lazy.filter { matches($0, name) }.map(value)
    }

    /// Whether a line of this name is there, with whatever value.
    public func contains(named name: StaticString) -> Bool {
        entries.contains { matches($0, name) }
    }

    /// Whether a line of this name is there, with whatever value.
    public func contains(named name: [UInt8]) -> Bool {
        entries.contains { matches($0, name) }
    }

    private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
        bytes.span.extracting(entry.name).equalsIgnoringCase(name)
    }

    private func matches(_ entry: Entry, _ name: [UInt8]) -> Bool {
        guard entry.name.count == name.count else { return false }
        return zip(bytes[entry.name], name).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
