import ProctorBase
package import ProctorDocument
import ProctorProgram
import ProctorScenario

/// How a value is read, and its form where many keys have it.
package struct Shape<Value>: Sendable {
    /// nil: language.yaml has one for each key.
    let form: Form?
    /// Reads a value; returns nil after it has reported a diagnostic.
    package let read: @Sendable (Node, ScenarioReader) -> Value?

    package init(_ form: Form? = nil, read: @escaping @Sendable (Node, ScenarioReader) -> Value?) {
        (self.form, self.read) = (form, read)
    }
}

/// What the reference and the JSON Schema say of a value that many keys take; no fixture needs it.
package enum Form: Sendable {
    /// A row of `forms` in language.yaml, or a definition there.
    case named(StaticString)
    /// One of these words.
    case words(@Sendable () -> [String])
    case numbers(ClosedRange<Int>)
    /// Text that a regular expression matches.
    case pattern(@Sendable () -> String)
}

extension Shape where Value == String {
    /// Text; `what` is the noun in messages: `a host`.
    static func text(_ what: String) -> Shape {
        Shape(.named("text")) { node, reader in reader.sink.text(node, what) }
    }

    package static func nonEmptyText(_ what: String) -> Shape {
        Shape(.named("nonEmptyText")) { node, reader in reader.sink.nonEmptyText(node, what) }
    }

    package static func line(_ what: String) -> Shape {
        Shape(.named("line")) { node, reader in reader.line(node, what) }
    }

    /// A name of letters, digits, `-` and `_`; `thing` is the kind of thing that has the name.
    static func name(_ what: String, of thing: String) -> Shape {
        Shape(.named("name")) { node, reader in reader.name(node, what, of: thing) }
    }
}

extension Shape where Value == Int {
    package static func integer(_ what: String, in range: ClosedRange<Int>) -> Shape {
        Shape(.numbers(range)) { node, reader in reader.sink.integer(node, what, in: range) }
    }

    /// A number of bytes up to 1 TiB.
    static func byteCount(_ what: String, from least: Int = 0) -> Shape {
        integer(what, in: least...Bounds.bodyByteCount)
    }
}

extension Shape where Value == Bool {
    package static func boolean(_ what: String) -> Shape {
        Shape(.named("boolean")) { node, reader in reader.sink.boolean(node, what) }
    }
}

extension Shape where Value == Duration {
    /// A duration greater than zero, up to ten minutes.
    package static func duration(_ what: String) -> Shape {
        Shape(.named("delay")) { node, reader in reader.duration(node, what) }
    }

    /// A duration by the clock of the run, up to ten years: a test moves that clock in place of waiting.
    package static func lifetime(_ what: String) -> Shape {
        Shape(.named("delay")) { node, reader in
            reader.duration(node, what, atMost: (3650 * 86_400_000_000_000, "3650d"))
        }
    }
}

extension Shape where Value == Int {
    /// A duration in milliseconds.
    static func milliseconds(_ what: String) -> Shape {
        Shape(.named("delay")) { node, reader in reader.duration(node, what)?.wholeMilliseconds }
    }
}

extension Shape where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the raw values of an enumeration.
    package static func choice(_ what: String) -> Shape {
        Shape(.words { Value.allCases.map(\.rawValue) }) { node, reader in
            reader.sink.choice(node, what, among: Value.self)
        }
    }
}

extension Shape where Value == [UInt8] {
    /// Bytes in any form that are read when the file is loaded.
    package static func literal(_ what: String, limit: Int) -> Shape {
        Shape(.named("bytes")) { node, reader in reader.literal(node, what, limit: limit) }
    }
}

extension Shape where Value == [ReplyField] {
    /// Fields; `what` is the noun in messages.
    package static func fields(_ what: String) -> Shape {
        Shape(.named("fields")) { node, reader in reader.fields(node, what) }
    }
}

extension Shape {
    package static func mapping<Keys>(
        _ table: Table<Keys>, read: @escaping @Sendable (Mapping<Keys>) -> Value?
    ) -> Shape {
        Shape { node, reader in table.open(node, reader).flatMap(read) }
    }
}
