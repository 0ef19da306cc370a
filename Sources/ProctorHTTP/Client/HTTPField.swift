import ProctorBase

/// One field of a message as a client holds it: a name, and a value that keeps every byte (RFC 9110 §5).
public struct HTTPField: Sendable, Hashable {
    /// In the case in which it is sent; comparisons ignore ASCII case.
    public var name: String
    /// As on the wire, whatever its encoding (RFC 9110 §5.5 allows bytes from 0x80 on without a meaning).
    public var bytes: [UInt8]

    /// A value that is sent as UTF-8.
    public init(_ name: String, _ value: String) {
        self.init(name: name, bytes: Array(value.utf8))
    }

    /// A value of any bytes.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// A copy of a line that was read; its value has no whitespace at either end.
    public init(_ line: FieldLine) {
        self.init(name: FieldText.decode(line.name), bytes: Array(line.value))
    }

    /// The bytes read as UTF-8 or, where they are none, as Latin-1; setting it writes UTF-8.
    public var value: String {
        get { FieldText.decode(bytes) }
        set { bytes = Array(newValue.utf8) }
    }

    /// Whether the name is a token and the value has no control but HTAB, so that it is one line and stays one.
    ///
    /// What a caller hands in with a CR, LF or NUL would become other fields or another message (RFC 9110 §5.5).
    public var isSendable: Bool {
        guard name.utf8.isToken else { return false }
        for byte in bytes where byte.isControl && byte != .tab { return false }
        return true
    }

    /// Whether this is the field of that name, ASCII case aside (RFC 9110 §5.1).
    public func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

/// Fields in the order of their lines; names are compared without regard to ASCII case (RFC 9110 §5.1).
extension [HTTPField] {
    /// A copy of every line of a section, in order.
    public init(_ section: FieldSection) {
        self = section.map { HTTPField($0) }
    }

    /// The first field of this name.
    public func first(named name: String) -> HTTPField? { first { $0.isNamed(name) } }

    /// The fields of this name, in order.
    public func all(named name: String) -> [HTTPField] { filter { $0.isNamed(name) } }

    /// Whether a field of this name is there, with whatever value.
    public func contains(named name: String) -> Bool { contains { $0.isNamed(name) } }

    /// The value of the first field of this name, as text.
    public func value(of name: String) -> String? { first(named: name)?.value }

    /// Puts this one in the place of the first of its name and takes the others away; it goes last if there is none.
    public mutating func set(_ field: HTTPField) {
        guard let place = firstIndex(where: { $0.isNamed(field.name) }) else {
            append(field)
            return
        }
        self[place] = field
        removeSubrangeOfName(field.name, from: place + 1)
    }

    /// As `set(_:)`, with a value that is sent as UTF-8.
    public mutating func set(_ name: String, to value: String) { set(HTTPField(name, value)) }

    /// Takes all fields of this name away.
    public mutating func removeAll(named name: String) { removeAll { $0.isNamed(name) } }

    private mutating func removeSubrangeOfName(_ name: String, from start: Int) {
        self = self[..<start] + self[start...].filter { !$0.isNamed(name) }
    }
}

/// Fields whose value is a comma-separated list (RFC 9110 §5.6.1).
extension HTTPField {
    /// The elements without whitespace around them; empty ones are none, and a comma in a quoted string parts nothing.
    public var elements: [ArraySlice<UInt8>] {
        var walk = ListElements()
        var found: [ArraySlice<UInt8>] = []
        while let range = walk.next(in: bytes.span) {
            if !range.isEmpty { found.append(bytes[range]) }
        }
        return found
    }

    /// Whether this is one of the elements, ASCII case aside, as it is in lists of names.
    public func lists(_ name: String) -> Bool {
        elements.contains { $0.elementsEqual(name.utf8) { $0.asciiLowercased == $1.asciiLowercased } }
    }
}

/// All lines of a name make one list (RFC 9110 §5.3).
extension [HTTPField] {
    /// The elements of all fields of this name, in order.
    public func elements(of name: String) -> [ArraySlice<UInt8>] { all(named: name).flatMap(\.elements) }

    /// Whether any field of this name has that element, ASCII case aside.
    public func lists(_ element: String, in name: String) -> Bool {
        contains { $0.isNamed(name) && $0.lists(element) }
    }

    /// The value of a field that has one value: nil where it is missing.
    ///
    /// More than one line is refused: which of them is meant can't be known.
    public func singleValue(of name: String) throws(FieldViolation) -> [UInt8]? {
        let found = all(named: name)
        if found.count > 1 { throw FieldViolation(.severalValues, at: 0, found[1].bytes) }
        return found.first?.bytes
    }
}
