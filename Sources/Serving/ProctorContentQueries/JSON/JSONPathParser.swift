internal import ProctorBase

/// Reads a query of JSONPath, as deep as ``depthBound``.
struct JSONPathParser {
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0
    private static let depthBound = 50
    /// The numbers that JavaScript has exactly (RFC 9535 §2.1).
    private static let greatest = 9_007_199_254_740_991

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func parse() throws(LineFault) -> [JSONPath.Segment] {
        guard bytes.count <= JSONPath.byteBound else {
            throw LineFault(0, "a query has at most \(JSONPath.byteBound) bytes")
        }
        guard takeText("$") else { throw fault("a query begins with $") }
        let segments = try readSegments()
        guard offset == bytes.count else { throw fault("a segment, by . or [, or the end is expected") }
        return segments
    }

    // MARK: Segments

    private mutating func readSegments() throws(LineFault) -> [JSONPath.Segment] {
        var segments: [JSONPath.Segment] = []
        while true {
            let start = offset
            skipBlanks()
            if takeText("..") {
                let selectors = starts(with: "[") ? try readBrackets() : [try readShorthand()]
                segments.append(JSONPath.Segment(isDescendant: true, selectors: selectors))
            } else if takeText(".") {
                segments.append(JSONPath.Segment(isDescendant: false, selectors: [try readShorthand()]))
            } else if starts(with: "[") {
                segments.append(JSONPath.Segment(isDescendant: false, selectors: try readBrackets()))
            } else {
                offset = start
                return segments
            }
        }
    }

    private mutating func readShorthand() throws(LineFault) -> JSONPath.Selector {
        if takeText("*") { return .wildcard }
        let start = offset
        while let byte = current, byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "_") {
            offset += 1
        }
        guard offset > start, !bytes[start].isASCIIDigit else {
            offset = start
            throw fault("a name or * is expected")
        }
        return .name(Array(bytes[start..<offset]))
    }

    private mutating func readBrackets() throws(LineFault) -> [JSONPath.Selector] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthBound else { throw fault("the query is more than \(Self.depthBound) deep") }
        offset += 1
        var selectors: [JSONPath.Selector] = []
        repeat {
            skipBlanks()
            selectors.append(try readSelector())
            skipBlanks()
        } while takeText(",")
        guard takeText("]") else { throw fault(", or ] is expected") }
        return selectors
    }

    private mutating func readSelector() throws(LineFault) -> JSONPath.Selector {
        if takeText("*") { return .wildcard }
        if takeText("?") {
            skipBlanks()
            return .filter(try readCondition())
        }
        if current == UInt8(ascii: "'") || current == UInt8(ascii: "\"") { return .name(try readString()) }
        let start = try readInteger()
        skipBlanks()
        guard takeText(":") else {
            guard let start else { throw fault("a name, a number, *, : or ? is expected") }
            return .index(start)
        }
        skipBlanks()
        let end = try readInteger()
        skipBlanks()
        var step = 1
        if takeText(":") {
            skipBlanks()
            step = try readInteger() ?? 1
        }
        return .slice(start: start, end: end, step: step)
    }

    private mutating func readInteger() throws(LineFault) -> Int? {
        let start = offset
        _ = takeText("-")
        let digits = offset
        while current?.isASCIIDigit == true { offset += 1 }
        guard offset > start else { return nil }
        guard let number = Int(String(decoding: bytes[start..<offset], as: UTF8.self)), abs(number) <= Self.greatest,
            bytes[digits] != UInt8(ascii: "0") || offset == digits + 1 && digits == start
        else { throw LineFault(start, "this is no whole number of JSONPath") }
        return number
    }

    // MARK: Conditions

    private mutating func readCondition() throws(LineFault) -> JSONPath.Condition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthBound else { throw fault("the query is more than \(Self.depthBound) deep") }
        var alternatives: [JSONPath.Condition] = []
        repeat {
            var all: [JSONPath.Condition] = []
            repeat { all.append(try readTerm()) } while takeBehindBlanks("&&")
            alternatives.append(all.count == 1 ? all[0] : .and(all))
        } while takeBehindBlanks("||")
        return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
    }

    private mutating func readTerm() throws(LineFault) -> JSONPath.Condition {
        skipBlanks()
        if starts(with: "!"), !starts(with: "!=") {
            offset += 1
            skipBlanks()
            let start = offset
            let inner = try readTerm()
            if case .compares = inner, bytes[start] != UInt8(ascii: "(") {
                throw LineFault(start, "a comparison behind ! stands in parentheses")
            }
            return .not(inner)
        }
        if takeText("(") {
            let inner = try readCondition()
            skipBlanks()
            guard takeText(")") else { throw fault("&&, || or ) is expected") }
            return inner
        }
        if let condition = try readMatch() { return condition }
        let start = offset
        let left = try readComparable()
        skipBlanks()
        guard let relation = JSONPath.Relation.allCases.first(where: { starts(with: $0.rawValue) }) else {
            guard case .query(let query) = left else {
                throw LineFault(start, "a value is no condition; compare it by ==, !=, <, <=, > or >=")
            }
            return .exists(query)
        }
        offset += relation.rawValue.utf8.count
        skipBlanks()
        let place = offset
        let right = try readComparable()
        for (side, place) in [(left, start), (right, place)] {
            if case .query(let query) = side, !query.isSingular {
                throw LineFault(place, "a query that is compared names one value (§2.3.5.1)")
            }
        }
        return .compares(left, relation, right)
    }

    /// `match(…)` or `search(…)`; nil for anything else.
    private mutating func readMatch() throws(LineFault) -> JSONPath.Condition? {
        let isWhole = starts(with: "match(")
        guard isWhole || starts(with: "search(") else { return nil }
        offset += isWhole ? 6 : 7
        let text = try readArgument()
        guard takeBehindBlanks(",") else { throw fault(", is expected") }
        let pattern = try readArgument()
        guard takeBehindBlanks(")") else { throw fault(") is expected") }
        if case .literal(let document) = pattern, case .text(let bytes) = document.values[0].kind,
            JSONPath.expression(bytes, isWhole: isWhole) == nil
        {
            throw LineFault(
                offset, "\(QuotedText.quote(EscapedText.escape(bytes))) is no regular expression (RFC 9485)")
        }
        return .matches(text, pattern, isWhole: isWhole)
    }

    private mutating func readArgument() throws(LineFault) -> JSONPath.Comparable {
        skipBlanks()
        let start = offset
        let value = try readComparable()
        if case .query(let query) = value, !query.isSingular {
            throw LineFault(start, "a query that gives a value names one (§2.4.3)")
        }
        return value
    }

    private mutating func readComparable() throws(LineFault) -> JSONPath.Comparable {
        if let query = try readQuery() { return .query(query) }
        for function in ["length", "count", "value"] where starts(with: function + "(") {
            offset += function.utf8.count + 1
            skipBlanks()
            let value: JSONPath.Comparable
            if function == "length" {
                value = .length(try readArgument())
            } else {
                guard let query = try readQuery() else { throw fault("a query, by @ or $, is expected") }
                value = function == "count" ? .count(query) : .value(query)
            }
            guard takeBehindBlanks(")") else { throw fault(") is expected") }
            return value
        }
        return .literal(try readLiteral())
    }

    private mutating func readQuery() throws(LineFault) -> JSONPath.Query? {
        let isAbsolute = starts(with: "$")
        guard isAbsolute || starts(with: "@") else { return nil }
        let start = offset
        offset += 1
        return JSONPath.Query(offset: start, isAbsolute: isAbsolute, segments: try readSegments())
    }

    // MARK: Values

    private mutating func readLiteral() throws(LineFault) -> JSONDocument {
        let start = offset
        var json: [UInt8]
        if current == UInt8(ascii: "'") || current == UInt8(ascii: "\"") {
            var text = JSONText()
            text.string(String(decoding: try readString(), as: UTF8.self))
            json = text.bytes
        } else {
            while let byte = current, byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte) {
                offset += 1
            }
            json = Array(bytes[start..<offset])
        }
        guard let document = try? JSONDocument(parsing: json) else {
            throw LineFault(start, "a value, a query, by @ or $, or a function is expected")
        }
        return document
    }

    /// A text in single or double quotes, its escapes undone (§2.3.1.1).
    private mutating func readString() throws(LineFault) -> [UInt8] {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        // In the quotes of JSON, whose reader undoes the escapes.
        var json: [UInt8] = [UInt8(ascii: "\"")]
        while let byte = current, byte != quote {
            offset += 1
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = current else { break }
                offset += 1
                let isOther = escaped == UInt8(ascii: "'") || escaped == UInt8(ascii: "\"")
                guard !isOther || escaped == quote else { throw LineFault(offset - 2, "this is no escape") }
                json += escaped == UInt8(ascii: "'") ? [escaped] : [byte, escaped]
            case UInt8(ascii: "\""): json += [UInt8(ascii: "\\"), byte]
            default: json.append(byte)
            }
        }
        guard current == quote else { throw LineFault(start, "the text has no end") }
        offset += 1
        guard let document = try? JSONDocument(parsing: json + [UInt8(ascii: "\"")]),
            case .text(let text) = document.values[0].kind
        else { throw LineFault(start, "this is no text of JSONPath") }
        return text
    }

    // MARK: Moving

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func starts(with text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    private mutating func takeText(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        offset += text.utf8.count
        return true
    }

    private mutating func takeBehindBlanks(_ text: String) -> Bool {
        skipBlanks()
        return takeText(text)
    }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private func fault(_ sentence: String) -> LineFault { LineFault(offset, sentence) }
}
