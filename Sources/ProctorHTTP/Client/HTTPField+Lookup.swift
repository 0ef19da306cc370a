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

    /// The values of all fields of this name as the one list they make, `, ` between them (RFC 9110 §5.3).
    ///
    /// Not for Set-Cookie, whose values hold commas that part nothing.
    public func combinedValue(of name: String) -> String? {
        let found = all(named: name)
        return found.isEmpty ? nil : found.map(\.value).joined(separator: ", ")
    }

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
