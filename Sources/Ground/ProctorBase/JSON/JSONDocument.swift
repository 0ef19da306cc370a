/// A JSON text (RFC 8259) as a list of values, each before the values inside it; parsed without recursion.
///
/// A value takes 8 bytes beside its text, from which everything else about it is read when somebody asks. Of members
/// with the same name the last one counts. An unpaired surrogate becomes U+FFFD.
package struct JSONDocument: Sendable {
    private let bytes: [UInt8]
    /// Never empty; the first one is the whole text.
    private let nodes: [JSONNode]

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
        nodes = try JSONNodeReader.nodes(of: bytes.span, limit: valueLimit)
    }

    /// The value as the text has it.
    package func text(of index: Int) -> ArraySlice<UInt8> {
        let start = offset(of: index)
        return bytes[start..<endOffset(from: start, within: .max)]
    }

    /// The value as the text has it, cut after `limit` bytes.
    package func excerpt(_ index: Int, limit: Int) -> String {
        let start = offset(of: index)
        let end = endOffset(from: start, within: limit)
        return EscapedText.escape(bytes[start..<end].prefix(limit)) + (end - start > limit ? "…" : "")
    }

    /// Where the value begins in the text.
    package func offset(of index: Int) -> Int {
        let node = nodes[index]
        return node.isMember ? JSONNodeReader.valueOffset(behindNameAt: node.offset, bytes.span) : node.offset
    }

    /// Where the name of a member begins, at its quote; nil if the value is none.
    package func nameOffset(of index: Int) -> Int? { nodes[index].isMember ? nodes[index].offset : nil }

    /// The end of the value in the text, or any place more than `limit` bytes behind its start.
    private func endOffset(from start: Int, within limit: Int) -> Int {
        let text = bytes.span
        var cursor = JSONCursor(offset: start)
        guard text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") else {
            _ = try? cursor.skipValue(text)
            return cursor.offset
        }
        var depth = 0
        repeat {
            let byte = text[cursor.offset]
            if byte == UInt8(ascii: "\"") {
                _ = cursor.range(ofReadTextIn: text)
                continue
            }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
            cursor.offset += 1
        } while depth > 0 && cursor.offset - start <= limit
        return cursor.offset
    }
}

// MARK: Values

extension JSONDocument {
    package var values: Values { Values(document: self) }

    package struct Values: RandomAccessCollection, Sendable {
        fileprivate let document: JSONDocument

        package var startIndex: Int { 0 }
        package var endIndex: Int { document.nodes.count }
        package subscript(_ index: Int) -> Value { Value(document: document, index: index) }
    }

    /// One value; what it says is decoded at each question.
    package struct Value: Sendable {
        fileprivate let document: JSONDocument
        private let index: Int

        fileprivate init(document: JSONDocument, index: Int) {
            (self.document, self.index) = (document, index)
        }

        package var kind: Kind {
            let offset = document.offset(of: index)
            switch document.type(at: offset) {
            case .text: return .text(document.unescaped(at: offset))
            case .number: return .number(document.number(at: offset))
            case let type: return type
            }
        }

        /// The unescaped bytes of a string; nil for another value.
        package var text: [UInt8]? { if case .text(let bytes) = kind { bytes } else { nil } }

        /// The kind without what it holds, at no cost: of a number zero, of a string nothing.
        package var type: Kind { document.type(at: document.offset(of: index)) }

        /// The name, if the value is that of a member; else nil.
        package var name: [UInt8]? { document.nameOffset(of: index).map { document.unescaped(at: $0) } }

        /// The index behind the last value inside this one.
        package var end: Int { document.nodes[index].end }

        /// Whether a later member has the same name.
        package var isShadowed: Bool { document.nodes[index].isShadowed }

        /// Whether the value is a string of just these bytes.
        package func isText(_ text: some Sequence<UInt8>) -> Bool {
            document.hasText(text, at: document.offset(of: index))
        }

        /// Whether the value is that of a member with the name.
        package func isNamed(_ name: some Sequence<UInt8>) -> Bool {
            document.nameOffset(of: index).map { document.hasText(name, at: $0) } ?? false
        }
    }

    private func type(at offset: Int) -> Kind {
        switch bytes[offset] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .list
        case UInt8(ascii: "\""): .text([])
        case UInt8(ascii: "t"): .boolean(true)
        case UInt8(ascii: "f"): .boolean(false)
        case UInt8(ascii: "n"): .null
        default: .number(.zero)
        }
    }

    private func number(at offset: Int) -> JSONDecimal {
        var cursor = JSONCursor(offset: offset)
        _ = try? cursor.number(bytes.span, "a value")
        // The reader has refused what this can't read.
        return JSONDecimal(bytes[offset..<cursor.offset]) ?? .zero
    }

    private func unescaped(at quote: Int) -> [UInt8] {
        var cursor = JSONCursor(offset: quote)
        return cursor.range(ofReadTextIn: bytes.span).unescaped(bytes.span)
    }

    /// Whether a string of just these bytes begins at the offset; up to its first escape without a copy.
    private func hasText(_ wanted: some Sequence<UInt8>, at quote: Int) -> Bool {
        guard bytes[quote] == UInt8(ascii: "\"") else { return false }
        var offset = quote + 1
        for byte in wanted {
            if bytes[offset] == UInt8(ascii: "\\") { return unescaped(at: quote).elementsEqual(wanted) }
            guard bytes[offset] == byte, byte != UInt8(ascii: "\"") else { return false }
            offset += 1
        }
        return bytes[offset] == UInt8(ascii: "\"")
    }
}

// MARK: Structure

extension JSONDocument {
    /// The indexes of the values directly inside one, without members that a later one shadows.
    package func children(of index: Int) -> Children {
        Children(document: self, following: index + 1, end: nodes[index].end)
    }

    package struct Children: Sequence, IteratorProtocol, Sendable {
        fileprivate let document: JSONDocument
        fileprivate var following: Int
        fileprivate let end: Int

        package mutating func next() -> Int? {
            while following < end {
                let index = following
                let node = document.nodes[index]
                following = node.end
                if !node.isShadowed { return index }
            }
            return nil
        }
    }

    /// The indexes of the values directly inside one, counted by the budget before each is looked at.
    package func children(of index: Int, within budget: WorkBudget?) throws(SpentBudget) -> [Int] {
        try budget?.spend()
        var children: [Int] = []
        let end = nodes[index].end
        var child = index + 1
        while child < end {
            try budget?.spend(stepCount(of: child))
            if !nodes[child].isShadowed { children.append(child) }
            child = nodes[child].end
        }
        return children
    }

    /// The steps of a budget that it takes to read the name and the text of one value, without those inside it.
    package func stepCount(of index: Int) -> Int { steps(from: index, to: index + 1) }

    /// The steps that it takes to read a value with all inside it.
    package func stepCount(ofWhole index: Int) -> Int { steps(from: index, to: nodes[index].end) }

    private func steps(from start: Int, to end: Int) -> Int {
        let endOffset = end < nodes.count ? nodes[end].offset : bytes.count
        return end - start + (endOffset - nodes[start].offset) / Self.bytesOfStep
    }

    /// The bytes of a name or a text that count as one step.
    private static let bytesOfStep = 32

    /// The index of the value that a pointer's token names; nil if there is none.
    package func child(of index: Int, _ token: String) -> Int? {
        switch values[index].type {
        case .object: return children(of: index).first { values[$0].isNamed(token.utf8) }
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
