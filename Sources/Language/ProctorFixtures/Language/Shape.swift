import ProctorBase
package import ProctorDocument
import ProctorProgram
import ProctorScenario

/// How a value is read, and what the reference says of it where the data of the language does not.
package struct Shape<Value>: Sendable {
    /// nil: each key has a row of its own in language.yaml.
    package let form: Form?
    /// Reads a value; returns nil after it has reported a diagnostic.
    package let read: @Sendable (Node, ScenarioReader) -> Value?

    package init(read: @escaping @Sendable (Node, ScenarioReader) -> Value?) { self.init(nil, read: read) }

    package init(
        _ schema: @autoclosure @escaping @Sendable () -> Schema, takes: @autoclosure @escaping @Sendable () -> String,
        read: @escaping @Sendable (Node, ScenarioReader) -> Value?
    ) {
        self.init(Form(makeSchema: schema, makeTakes: takes), read: read)
    }

    package init(_ form: Form?, read: @escaping @Sendable (Node, ScenarioReader) -> Value?) {
        (self.form, self.read) = (form, read)
    }
}

/// What the reference says of a value that many keys take; made when it is asked for, since no fixture needs it.
package struct Form: Sendable {
    fileprivate let makeSchema: @Sendable () -> Schema
    fileprivate let makeTakes: @Sendable () -> String

    package var schema: Schema { makeSchema() }
    /// The form in the reference, in Markdown.
    package var takes: String { makeTakes() }
}

extension Shape where Value == String {
    /// Text; `what` is the noun in messages: `a host`.
    static func text(
        _ what: String, schema: @autoclosure @escaping @Sendable () -> Schema = .ref("text"), takes: String = "text"
    ) -> Shape {
        Shape(schema(), takes: takes) { node, reader in reader.sink.text(node, what) }
    }

    package static func nonEmptyText(
        _ what: String, schema: @autoclosure @escaping @Sendable () -> Schema = .ref("nonEmptyText")
    ) -> Shape {
        Shape(schema(), takes: "text") { node, reader in reader.sink.nonEmptyText(node, what) }
    }

    package static func line(_ what: String) -> Shape {
        Shape(.line, takes: "text") { node, reader in reader.line(node, what) }
    }

    /// A name of letters, digits, `-` and `_`; `thing` is the kind of thing that has the name.
    static func name(_ what: String, of thing: String) -> Shape {
        Shape(["type": "string", "allOf": [.ref("identifier")]], takes: "a name") { node, reader in
            reader.name(node, what, of: thing)
        }
    }
}

extension Shape where Value == Int {
    package static func integer(_ what: String, in range: ClosedRange<Int>) -> Shape {
        Shape(.number(range), takes: "\(range.lowerBound.grouped) … \(range.upperBound.grouped)") { node, reader in
            reader.sink.integer(node, what, in: range)
        }
    }

    /// A number of bytes up to 1 TiB.
    static func byteCount(_ what: String, from least: Int = 0) -> Shape {
        Shape(.number(least...Bounds.bodyByteCount), takes: "a number of bytes") { node, reader in
            reader.sink.integer(node, what, in: least...Bounds.bodyByteCount)
        }
    }
}

extension Shape where Value == Bool {
    package static func boolean(_ what: String) -> Shape {
        Shape(["type": "boolean"], takes: "`true` or `false`") { node, reader in reader.sink.boolean(node, what) }
    }
}

extension Shape where Value == Duration {
    /// A duration greater than zero, up to ten minutes.
    package static func duration(_ what: String) -> Shape {
        Shape(.ref("delay"), takes: "a time") { node, reader in reader.duration(node, what) }
    }

    /// A duration by the clock of the run, up to ten years: a test moves that clock in place of waiting.
    static func lifetime(_ what: String) -> Shape {
        Shape(.ref("delay"), takes: "a time") { node, reader in
            reader.duration(node, what, atMost: (3650 * 86_400_000_000_000, "3650d"))
        }
    }
}

extension Shape where Value == Int {
    /// A duration in milliseconds.
    static func milliseconds(_ what: String) -> Shape {
        let shape = Shape<Duration>.duration(what)
        return Shape(shape.form) { shape.read($0, $1)?.wholeMilliseconds }
    }
}

extension Shape where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the raw values of an enumeration.
    package static func choice(_ what: String) -> Shape {
        Shape(.words(Value.allCases.map(\.rawValue)), takes: Value.allCases.map(\.rawValue).alternatives) {
            node, reader in
            reader.sink.choice(node, what, among: Value.self)
        }
    }
}

extension Shape where Value == [UInt8] {
    /// Bytes in any form that are read when the file is loaded.
    package static func literal(_ what: String, limit: Int) -> Shape {
        Shape(.ref("bytes"), takes: "[bytes](bytes.md)") { node, reader in
            reader.literal(node, what, limit: limit)
        }
    }
}

extension Shape where Value == [ReplyField] {
    /// Fields; `what` is the noun in messages.
    package static func fields(_ what: String) -> Shape {
        Shape(.ref("fields"), takes: "fields") { node, reader in reader.fields(node, what) }
    }
}

extension Shape {
    package static func mapping<Keys>(
        _ table: Table<Keys>, read: @escaping @Sendable (Mapping<Keys>) -> Value?
    ) -> Shape {
        Shape { node, reader in table.open(node, reader).flatMap(read) }
    }
}
