import ProctorBase

/// One field of a message: a name and the bytes of its value (RFC 9110 §5).
public struct HTTPField: Sendable, Hashable {
    /// Sent in this letter case; comparisons ignore ASCII case.
    public var name: String
    /// The bytes on the wire, in any encoding (RFC 9110 §5.5).
    public var bytes: [UInt8]

    /// Makes a field whose value is sent as UTF-8.
    public init(_ name: String, _ value: String) {
        self.init(name: name, bytes: Array(value.utf8))
    }

    /// Makes a field from bytes that need not be UTF-8.
    public init(name: String, bytes: [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }

    /// Copies a field line that was read, without whitespace around its value.
    package init(_ line: FieldLine) {
        self.init(name: FieldText.decode(line.name), bytes: Array(line.value))
    }

    /// The bytes decoded as UTF-8 or else as Latin-1; setting it writes UTF-8.
    public var value: String {
        get { FieldText.decode(bytes) }
        set { bytes = Array(newValue.utf8) }
    }

    /// Whether the name is a token and the value has no control except HTAB.
    ///
    /// A CR, LF or NUL in a value could begin another field or another message (RFC 9110 §5.5).
    package var isSendable: Bool {
        guard name.utf8.isToken else { return false }
        for byte in bytes where byte.isControl && byte != .tab { return false }
        return true
    }

    /// Compares the name without regard to ASCII case (RFC 9110 §5.1).
    package func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

/// Fields in the order of their lines; names are compared without regard to ASCII case (RFC 9110 §5.1).
extension [HTTPField] {
    /// The fields of a head or of trailers, in the order of their lines.
    package init(_ section: FieldSection) {
        self = section.map { HTTPField($0) }
    }

    /// The first field with that name; nil if there is none.
    public func first(named name: String) -> HTTPField? { first { $0.isNamed(name) } }

    package func all(named name: String) -> [HTTPField] { filter { $0.isNamed(name) } }

    /// Whether a field has the name.
    public func contains(named name: String) -> Bool { contains { $0.isNamed(name) } }

    package func value(of name: String) -> String? { first(named: name)?.value }

    /// Replaces the first field of that name and removes the others; appends the field if there is none.
    public mutating func set(_ field: HTTPField) {
        guard let place = firstIndex(where: { $0.isNamed(field.name) }) else {
            append(field)
            return
        }
        self[place] = field
        removeSubrangeOfName(field.name, from: place + 1)
    }

    /// Replaces fields as `set(_:)` does, by a value that is sent as UTF-8.
    public mutating func set(_ name: String, to value: String) { set(HTTPField(name, value)) }

    /// Removes every field of the name.
    public mutating func removeAll(named name: String) { removeAll { $0.isNamed(name) } }

    private mutating func removeSubrangeOfName(_ name: String, from start: Int) {
        self = self[..<start] + self[start...].filter { !$0.isNamed(name) }
    }
}

/// Fields whose value is a comma-separated list (RFC 9110 §5.6.1).
extension HTTPField {
    /// The elements without whitespace around them; without empty ones; commas in quoted strings do not separate
    /// elements.
    package var elements: [ArraySlice<UInt8>] {
        var walk = ListElements()
        var parsed: [ArraySlice<UInt8>] = []
        while let range = walk.next(in: bytes.span) {
            if !range.isEmpty { parsed.append(bytes[range]) }
        }
        return parsed
    }

    /// Whether an element equals `name` without regard to ASCII case.
    package func lists(_ name: String) -> Bool {
        elements.contains { $0.elementsEqual(name.utf8) { $0.asciiLowercased == $1.asciiLowercased } }
    }
}

/// All lines of one name together are one list (RFC 9110 §5.3).
extension [HTTPField] {
    package func elements(of name: String) -> [ArraySlice<UInt8>] { all(named: name).flatMap(\.elements) }

    /// Whether the list of this name has that element, without regard to ASCII case.
    package func lists(_ element: String, in name: String) -> Bool {
        contains { $0.isNamed(name) && $0.lists(element) }
    }

    /// The value of a field that may be sent once; nil if it is missing.
    ///
    /// Several lines are an error, since no rule says which one has an effect.
    package func singleValue(of name: String) throws(FieldViolation) -> [UInt8]? {
        let lines = all(named: name)
        if lines.count > 1 { throw FieldViolation(.severalValues, at: 0, lines[1].bytes) }
        return lines.first?.bytes
    }
}
