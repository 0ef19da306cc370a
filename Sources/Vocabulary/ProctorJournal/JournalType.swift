import ProctorBase
import ProctorHTTP

/// How a value of a journal is written and read.
///
/// What returns one is inlined, as are the keys of ``JournalField``, so that a key, its getter and its type are compiled
/// into one closure: the encoder runs for every request while a journal file is written.
struct JournalType<Value>: Sendable {
    /// The type in the words of the documentation: `text`, or the words that a value can be.
    let words: String
    /// The keys of the object, or of each object of the list.
    var members: [JournalFieldNote] = []
    /// Whether a list can have the element; where it can't, an error says what the list is.
    var fits: @Sendable (JSONTree) -> Bool = { _ in true }
    let write: @Sendable (Value, inout JSONText) -> Void
    /// Reads the value of the key, by which errors name it.
    let read: @Sendable (JSONTree, String) throws(LineFault) -> Value
}

extension JournalType where Value == String {
    static var text: Self {
        @inline(__always) get {
            JournalType(
                words: "text", fits: { if case .text = $0 { true } else { false } }, write: { $1.string($0) },
                read: { tree, key throws(LineFault) in try JournalFields.text(tree, key) })
        }
    }
}

extension JournalType where Value == Bool {
    static var flag: Self {
        @inline(__always) get {
            JournalType(words: "true or false", write: { $1.flag($0) }) { tree, key throws(LineFault) in
                if case .flag(let value) = tree { return value }
                throw LineFault(0, "'\(key)' is true or false")
            }
        }
    }
}

extension JournalType where Value: FixedWidthInteger & SendableMetatype {
    /// Never below 0.
    static var number: Self {
        @inline(__always) get {
            JournalType(
                words: "whole number",
                write: { value, json in
                    if Value.isSigned {
                        json.number(Int(truncatingIfNeeded: value))
                    } else {
                        json.number(UInt64(truncatingIfNeeded: value))
                    }
                },
                read: { tree, key throws(LineFault) in try JournalFields.number(tree, key) })
        }
    }
}

extension JournalType where Value: JournalWord {
    /// A word of an enumeration, all of which the documentation lists.
    static var word: Self {
        @inline(__always) get {
            let words = Value.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            return JournalType(words: words, write: { $1.string($0.rawValue) }) { tree, key throws(LineFault) in
                let word = try JournalFields.text(tree, key)
                if let value = Value(rawValue: word) { return value }
                throw LineFault(0, "'\(key)' is no '\(EscapedText.escape(word.utf8, limit: 60))'")
            }
        }
    }
}

extension JournalType where Value: RawRepresentable<String> & SendableMetatype {
    /// A kind with a name; `unknown` begins the error about a name that this version does not know.
    @inline(__always) static func kind(unknown: String) -> Self {
        JournalType(words: "text", write: { $1.string($0.rawValue) }) { tree, key throws(LineFault) in
            let word = try JournalFields.text(tree, key)
            if let kind = Value(rawValue: word) { return kind }
            throw LineFault(0, "\(unknown) '\(EscapedText.escape(word.utf8, limit: 60))'")
        }
    }
}

extension JournalType where Value == [UInt8] {
    /// Text, or an object with base64: an element of a list.
    static var bytes: Self {
        @inline(__always) get {
            JournalType(words: "bytes", write: { $1.stringOrBase64($0.span) }) { tree, key throws(LineFault) in
                try JournalFields.bytes(tree, key)
            }
        }
    }
}

extension JournalType where Value == FieldSection {
    /// Each field line is a list of its name and its value.
    static var fieldLines: Self {
        @inline(__always) get {
            JournalType(
                words: "list of name and value",
                write: { lines, json in
                    json.open("[")
                    lines.forEachNameAndValue { name, value in json.fieldLine(name, value) }
                    json.close("]")
                },
                read: { tree, key throws(LineFault) in FieldSection(try JournalFields.fieldLines(tree, key)) })
        }
    }
}

extension JournalType {
    @inline(__always) static func object(_ shape: JournalShape<Value, Value>) -> Self {
        JournalType(
            words: "object", members: shape.notes, fits: { if case .object = $0 { true } else { false } },
            write: { object, json in
                json.open("{")
                shape.write(object, to: &json)
                json.close("}")
            },
            read: { tree, key throws(LineFault) in
                guard case .object(let members) = tree else { throw LineFault(0, "'\(key)' is an object") }
                return try shape.read(JournalFields(members))
            })
    }

    @inline(__always) static func list<Element>(_ element: JournalType<Element>) -> Self where Value == [Element] {
        let (write, read, fits) = (element.write, element.read, element.fits)
        let isNoun = ["text", "whole number", "object"].contains(element.words)
        let words = "list of \(element.words)\(isNoun ? "s" : "")"
        return JournalType(
            words: words, members: element.members,
            write: { elements, json in
                json.open("[")
                for element in elements {
                    json.element()
                    write(element, &json)
                }
                json.close("]")
            },
            read: { tree, key throws(LineFault) in
                try JournalFields.list(tree, key).map { item throws(LineFault) in
                    guard fits(item) else { throw LineFault(0, "'\(key)' is a \(words)") }
                    return try read(item, key)
                }
            })
    }
}

typealias JournalWord = RawRepresentable<String> & CaseIterable & SendableMetatype
