/// A JSON text (RFC 8259) as a list of values, each before the values inside it; parsed without recursion.
///
/// Of members with the same name the last one counts. An unpaired surrogate becomes U+FFFD.
package struct JSONDocument: Sendable {
    /// Never empty; the first value is the whole text.
    package private(set) var values: [Value] = []
    private let bytes: [UInt8]

    package struct Value: Sendable {
        package let kind: Kind
        /// The name, if the value is that of a member; else nil.
        package let name: [UInt8]?
        /// The index behind the last value inside this one.
        package fileprivate(set) var end: Int
        /// Whether a later member has the same name.
        package fileprivate(set) var isShadowed = false
        /// The range of the value in the text.
        fileprivate var range: Range<Int>
    }

    package enum Kind: Sendable, Hashable {
        case null
        case boolean(Bool)
        case number(JSONDecimal)
        /// The unescaped bytes of a string.
        case text([UInt8])
        case list
        case object
    }

    /// The greatest depth of objects and lists.
    package static let depthBound = 100
    package static let valueBound = 100_000

    /// The bytes must hold exactly one value, in UTF-8, and at most `valueLimit` with those inside it.
    package init(parsing bytes: [UInt8], valueLimit: Int = valueBound) throws(LineFault) {
        self.bytes = bytes
        if bytes.contains(where: { $0 >= 0x80 }), String(validUTF8: bytes) == nil {
            throw LineFault(0, "the bytes are not UTF-8 (RFC 8259 §8.1)")
        }
        var reader = Reader(valueLimit: valueLimit)
        try reader.read(bytes.span)
        values = reader.values
    }

    /// The indexes of the values directly inside one, without members that a later one shadows.
    package func children(of index: Int) -> Children {
        Children(document: self, following: index + 1, end: values[index].end)
    }

    package struct Children: Sequence, IteratorProtocol {
        fileprivate let document: JSONDocument
        fileprivate var following: Int
        fileprivate let end: Int

        package mutating func next() -> Int? {
            while following < end {
                let index = following
                following = document.values[index].end
                if !document.values[index].isShadowed { return index }
            }
            return nil
        }
    }

    /// The value as the text has it.
    package func text(of index: Int) -> ArraySlice<UInt8> { bytes[values[index].range] }

    /// The value as the text has it, cut after `limit` bytes.
    package func excerpt(_ index: Int, limit: Int) -> String {
        let range = values[index].range
        return EscapedText.escape(bytes[range.prefix(limit)]) + (range.count > limit ? "…" : "")
    }

    /// The index of the value that a pointer's token names; nil if there is none.
    package func child(of index: Int, _ token: String) -> Int? {
        switch values[index].kind {
        case .object: return children(of: index).first { values[$0].name?.elementsEqual(token.utf8) == true }
        case .list:
            guard let number = JSONPointer.index(token) else { return nil }
            return children(of: index).dropFirst(number).first { _ in true }
        default: return nil
        }
    }

    /// The index of the value that a pointer names; nil if there is none.
    package func index(at pointer: JSONPointer, from start: Int = 0) -> Int? {
        var index = start
        for token in pointer.tokens {
            guard let next = child(of: index, token) else { return nil }
            index = next
        }
        return index
    }
}

extension JSONDocument {
    private struct Reader {
        let valueLimit: Int
        var values: [Value] = []
        private var cursor = JSONCursor()
        /// The indexes of the objects and lists that are not closed.
        private var open: [Int] = []
        private var name: [UInt8]?

        init(valueLimit: Int) { self.valueLimit = valueLimit }

        mutating func read(_ text: Span<UInt8>) throws(LineFault) {
            repeat {
                try readValue(text)
            } while try goesOn(text)
            guard cursor.offset == text.count else { throw cursor.unexpected(text, "the end of the JSON") }
        }

        /// Closes the objects and lists that end after a value; returns whether another value follows.
        private mutating func goesOn(_ text: Span<UInt8>) throws(LineFault) -> Bool {
            skipBlanks(text)
            while let container = open.last {
                let isObject = values[container].kind == .object
                let byte = cursor.peek(text)
                if values.count > container + 1, byte == UInt8(ascii: ",") {
                    cursor.offset += 1
                    skipBlanks(text)
                    name = isObject ? try key(text) : nil
                    return true
                }
                if byte == UInt8(ascii: isObject ? "}" : "]") {
                    cursor.offset += 1
                    close(container)
                } else if values.count == container + 1 {
                    name = isObject ? try key(text) : nil
                    return true
                } else {
                    throw isObject
                        ? cursor.unexpected(text, "',' or '}'") : cursor.unexpected(text, "',' or ']'")
                }
                skipBlanks(text)
            }
            return false
        }

        private mutating func readValue(_ text: Span<UInt8>) throws(LineFault) {
            skipBlanks(text)
            guard values.count < valueLimit else {
                throw LineFault(cursor.offset, "there are more than \(valueLimit) values")
            }
            let start = cursor.offset
            switch cursor.peek(text) {
            case UInt8(ascii: "{"): try openContainer(.object, at: start)
            case UInt8(ascii: "["): try openContainer(.list, at: start)
            case UInt8(ascii: "\""): add(.text(try cursor.text(text, "a text").unescaped(text)), from: start)
            case UInt8(ascii: "t"):
                try cursor.literal("true", text, "a value")
                add(.boolean(true), from: start)
            case UInt8(ascii: "f"):
                try cursor.literal("false", text, "a value")
                add(.boolean(false), from: start)
            case UInt8(ascii: "n"):
                try cursor.literal("null", text, "a value")
                add(.null, from: start)
            default:
                let number = try cursor.number(text, "a value")
                var digits: [UInt8] = []
                for index in number.start..<number.end { digits.append(text[index]) }
                guard let decimal = JSONDecimal(digits) else {
                    throw LineFault(start, "an exponent has at most \(JSONDecimal.exponentDigitBound) digits")
                }
                add(.number(decimal), from: start)
            }
        }

        private mutating func openContainer(_ kind: Kind, at start: Int) throws(LineFault) {
            guard open.count < JSONDocument.depthBound else {
                throw LineFault(start, "objects and lists go no more than \(JSONDocument.depthBound) levels deep")
            }
            open.append(values.count)
            cursor.offset += 1
            add(kind, from: start)
        }

        private mutating func add(_ kind: Kind, from start: Int) {
            values.append(Value(kind: kind, name: name, end: values.count + 1, range: start..<cursor.offset))
            name = nil
        }

        private mutating func close(_ container: Int) {
            open.removeLast()
            values[container].end = values.count
            values[container].range = values[container].range.lowerBound..<cursor.offset
            guard values[container].kind == .object else { return }
            var members: [Int] = []
            var index = container + 1
            while index < values.count {
                members.append(index)
                index = values[index].end
            }
            var seen: Set<[UInt8]> = []
            for member in members.reversed() {
                guard let name = values[member].name, !seen.insert(name).inserted else { continue }
                values[member].isShadowed = true
            }
        }

        private mutating func key(_ text: Span<UInt8>) throws(LineFault) -> [UInt8] {
            let key = try cursor.text(text, "a key in double quotes").unescaped(text)
            skipBlanks(text)
            guard cursor.peek(text) == UInt8(ascii: ":") else { throw cursor.unexpected(text, "':' behind a key") }
            cursor.offset += 1
            return key
        }

        private mutating func skipBlanks(_ text: Span<UInt8>) {
            while let byte = cursor.peek(text), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
                cursor.offset += 1
            }
        }
    }
}
