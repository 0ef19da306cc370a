import ProctorBase

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
