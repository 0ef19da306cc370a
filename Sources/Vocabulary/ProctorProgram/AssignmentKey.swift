import ProctorBase

/// A key of a JSON object of an assignment, with the functions that write and read its value.
///
/// Docs/clients/assignment.md, the kits of `clients/kits` and the language of fixtures know these keys by their names; a test compares them.
package struct AssignmentKey<Owner>: Sendable {
    package let name: StaticString
    let write: @Sendable (Owner, SessionSetup, inout JSONText) -> Void
    let read: @Sendable (inout Owner, AssignmentObjectReader, inout [Assignment.UnknownWord]) throws -> Void
}

/// A value that can stand in an assignment's JSON.
protocol AssignmentWritable: Sendable {
    /// Writes the value; `session` is that of the assignment.
    func write(to json: inout JSONText, in session: SessionSetup)
}

/// A value of an assignment's JSON that is written and read.
protocol AssignmentValue: AssignmentWritable {
    /// Reads a value; an unknown word is appended with `key`.
    ///
    /// Returns nil when the value can't be used without that word.
    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self?
}

/// An object of an assignment, whose keys are listed in a table.
protocol AssignmentObject: AssignmentValue {
    /// The keys, in the order in which they are written.
    static var keys: [AssignmentKey<Self>] { get }
    /// Makes the value of an empty JSON object.
    init()
}

/// The members of one object that is being read.
struct AssignmentObjectReader {
    let container: KeyedDecodingContainer<Name>
    /// The key of the object; empty for the assignment, its steps and its session.
    let key: String

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// nil when the key is missing, and when its value can't be used.
    func value<Value: AssignmentValue>(
        _ name: StaticString, _ type: Value.Type, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Value? {
        let name = Name("\(name)")
        guard container.contains(name), try !container.decodeNil(forKey: name) else { return nil }
        return try required(name, type, &unknown)
    }

    func required<Value: AssignmentValue>(
        _ name: Name, _ type: Value.Type, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Value? {
        guard container.contains(name) else {
            let context = DecodingError.Context(codingPath: container.codingPath, debugDescription: "a key is missing")
            throw DecodingError.keyNotFound(name, context)
        }
        let path = key.isEmpty ? name.stringValue : "\(key): \(name.stringValue)"
        return try Value.read(from: container.superDecoder(forKey: name), key: path, &unknown)
    }
}

// MARK: Rows

extension AssignmentKey {
    typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable

    /// A key that is always written, and required when an assignment is read.
    static func always<Value: AssignmentValue>(_ name: StaticString, _ path: Path<Value>) -> Self {
        Self(name: name) { owner, session, json in
            json.key(name)
            owner[keyPath: path].write(to: &json, in: session)
        } read: { owner, object, unknown in
            let value = try object.required(.init("\(name)"), Value.self, &unknown)
            if let value { owner[keyPath: path] = value }
        }
    }

    /// A key that is left out when the value is nil.
    static func optional<Value: AssignmentValue>(_ name: StaticString, _ path: Path<Value?>) -> Self {
        Self(name: name) { owner, session, json in
            guard let value = owner[keyPath: path] else { return }
            json.key(name)
            value.write(to: &json, in: session)
        } read: { owner, object, unknown in
            owner[keyPath: path] = try object.value(name, Value.self, &unknown)
        }
    }

    /// A key that is left out when the value is the usual one: false, or an empty list.
    static func unless<Value: AssignmentValue & Equatable>(
        _ usual: Value, _ name: StaticString, _ path: Path<Value>
    ) -> Self where Value: Sendable {
        Self(name: name) { owner, session, json in
            guard owner[keyPath: path] != usual else { return }
            json.key(name)
            owner[keyPath: path].write(to: &json, in: session)
        } read: { owner, object, unknown in
            owner[keyPath: path] = try object.value(name, Value.self, &unknown) ?? usual
        }
    }

    /// A key that is computed when an assignment is written, and ignored when one is read.
    static func computed<Value: AssignmentWritable>(
        _ name: StaticString, _ value: @escaping @Sendable (Owner, SessionSetup) -> Value?
    ) -> Self {
        Self(name: name) { owner, session, json in
            guard let value = value(owner, session) else { return }
            json.key(name)
            value.write(to: &json, in: session)
        } read: { _, _, _ in
        }
    }
}

// MARK: Values

extension AssignmentObject {
    func write(to json: inout JSONText, in session: SessionSetup) {
        json.open("{")
        for row in Self.keys { row.write(self, session, &json) }
        json.close("}")
    }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        try object(from: decoder, key: key, &unknown)
    }

    static func object(
        from decoder: any Decoder, key: String = "", _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self {
        var object = Self()
        let reader = AssignmentObjectReader(
            container: try decoder.container(keyedBy: AssignmentObjectReader.Name.self), key: key)
        for row in keys { try row.read(&object, reader, &unknown) }
        return object
    }
}

/// A value that is written as an object of another type.
protocol AssignmentForm: AssignmentValue {
    associatedtype Form: AssignmentObject
    var form: Form { get }
    /// Makes the value from its object; appends an unknown word, and returns nil when the value can't be used without
    /// it.
    static func read(_ form: Form, key: String, _ unknown: inout [Assignment.UnknownWord]) -> Self?
}

extension AssignmentForm {
    func write(to json: inout JSONText, in session: SessionSetup) { form.write(to: &json, in: session) }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        read(try Form.object(from: decoder, key: key, &unknown), key: key, &unknown)
    }
}

/// A value that is one of the words of an enumeration.
protocol AssignmentWord: AssignmentValue, RawRepresentable<String> {}

extension AssignmentWord {
    func write(to json: inout JSONText, in _: SessionSetup) { json.string(rawValue) }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        let word = try decoder.singleValueContainer().decode(String.self)
        let value = Self(rawValue: word)
        if value == nil { unknown.append(Assignment.UnknownWord(key: key, word: word)) }
        return value
    }
}

/// A value that every decoder can read, such as a number.
protocol AssignmentScalar: AssignmentValue, Decodable {}

extension AssignmentScalar {
    static func read(
        from decoder: any Decoder, key _: String, _: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        try decoder.singleValueContainer().decode(Self.self)
    }
}

extension String: AssignmentScalar {
    func write(to json: inout JSONText, in _: SessionSetup) { json.string(self) }
}

extension Int: AssignmentScalar {
    func write(to json: inout JSONText, in _: SessionSetup) { json.number(self) }
}

extension Bool: AssignmentScalar {
    func write(to json: inout JSONText, in _: SessionSetup) { json.flag(self) }
}

extension Array: AssignmentWritable, AssignmentValue where Element: AssignmentValue {
    func write(to json: inout JSONText, in session: SessionSetup) {
        json.list(self) { $0.write(to: &$1, in: session) }
    }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        var elements: Self = []
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            if let element = try Element.read(from: list.superDecoder(), key: key, &unknown) {
                elements.append(element)
            }
        }
        return elements
    }
}

extension Dictionary: AssignmentWritable, AssignmentValue, AssignmentScalar where Key == String, Value == String {
    func write(to json: inout JSONText, in _: SessionSetup) {
        json.open("{")
        for (name, text) in sorted(by: { $0.key < $1.key }) { json.member(named: name, text) }
        json.close("}")
    }
}
