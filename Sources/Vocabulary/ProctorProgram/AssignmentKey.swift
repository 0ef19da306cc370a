import ProctorBase

/// A key of a JSON object of an assignment, with the functions that write and read its value.
///
/// Docs/clients/assignment.md, the kits of `clients/kits` and the language of fixtures know these keys by their names; a test compares them.
package struct AssignmentKey<Owner>: Sendable {
    package let name: StaticString
    /// What follows where a program says the key.
    package let traits: KeyTraits
    /// The value that a program says; nil where it is the usual one.
    let said: @Sendable (Owner) -> (any Sendable)?
    /// Copies the value of the first one to the second one.
    let copy: @Sendable (Owner, inout Owner) -> Void
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
        Self(name, path, KeyTraits(), missing: nil) { _ in false }
    }

    /// A key that is always written and required; a program says it where its value is not the usual one.
    static func always<Value: AssignmentValue & Equatable>(
        _ name: StaticString, _ path: Path<Value>, usually usual: Value, _ traits: KeyTraits
    ) -> Self {
        Self(name, path, traits, missing: nil) { $0 == usual }
    }

    /// A key that is left out when the value is nil.
    static func optional<Value: AssignmentValue & Equatable>(
        _ name: StaticString, _ path: Path<Value?>, _ traits: KeyTraits = KeyTraits()
    ) -> Self {
        .unless(nil, name, path, traits)
    }

    /// A key that is left out when the value is the usual one: nil, false, or an empty list.
    static func unless<Value: AssignmentValue & Equatable>(
        _ usual: Value, _ name: StaticString, _ path: Path<Value>, _ traits: KeyTraits = KeyTraits()
    ) -> Self {
        Self(name, path, traits, missing: .some(usual)) { $0 == usual }
    }

    /// `missing`: the value of a key that is left out; nil: no key is.
    private init<Value: AssignmentValue>(
        _ name: StaticString, _ path: Path<Value>, _ traits: KeyTraits, missing: Value?,
        isUsual: @escaping @Sendable (Value) -> Bool
    ) {
        self.init(name: name, traits: traits) { owner in
            let value = owner[keyPath: path]
            return isUsual(value) ? nil : value
        } copy: {
            $1[keyPath: path] = $0[keyPath: path]
        } write: { owner, session, json in
            let value = owner[keyPath: path]
            guard missing == nil || !isUsual(value) else { return }
            json.key(name)
            value.write(to: &json, in: session)
        } read: { owner, object, unknown in
            let value =
                missing == nil
                ? try object.required(.init("\(name)"), Value.self, &unknown)
                : try object.value(name, Value.self, &unknown)
            if let value = value ?? missing { owner[keyPath: path] = value }
        }
    }

    /// A key that is computed when an assignment is written, and ignored when one is read.
    static func computed<Value: AssignmentWritable>(
        _ name: StaticString, _ value: @escaping @Sendable (Owner, SessionSetup) -> Value?
    ) -> Self {
        Self(name: name, traits: KeyTraits(), said: { _ in nil }, copy: { _, _ in }) { owner, session, json in
            guard let value = value(owner, session) else { return }
            json.key(name)
            value.write(to: &json, in: session)
        } read: { _, _, _ in
        }
    }
}

// MARK: Values

extension AssignmentObject {
    func write(to json: inout JSONText, in session: SessionSetup) { Self.keys.write(self, to: &json, in: session) }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        try object(from: decoder, key: key, &unknown)
    }

    static func object(
        from decoder: any Decoder, key: String = "", _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self {
        try keys.read(Self(), from: decoder, key: key, &unknown)
    }
}

extension Array {
    /// Writes the keys of an object.
    func write<Owner>(
        _ object: Owner, to json: inout JSONText, in session: SessionSetup
    ) where Element == AssignmentKey<Owner> {
        json.open("{")
        for row in self { row.write(object, session, &json) }
        json.close("}")
    }

    /// The object with the keys that were read; `key` is that of the object.
    func read<Owner>(
        _ object: Owner, from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Owner where Element == AssignmentKey<Owner> {
        let reader = AssignmentObjectReader(
            container: try decoder.container(keyedBy: AssignmentObjectReader.Name.self), key: key)
        return try reduce(into: object) { try $1.read(&$0, reader, &unknown) }
    }

    /// The second object with the values of the first one.
    func copy<Owner>(from source: Owner, to target: Owner) -> Owner where Element == AssignmentKey<Owner> {
        reduce(into: target) { $1.copy(source, &$0) }
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

extension Optional: AssignmentWritable, AssignmentValue where Wrapped: AssignmentValue {
    func write(to json: inout JSONText, in session: SessionSetup) { self?.write(to: &json, in: session) }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        try Wrapped.read(from: decoder, key: key, &unknown)
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
