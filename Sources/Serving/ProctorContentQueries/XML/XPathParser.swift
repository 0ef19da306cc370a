internal import ProctorBase

/// Reads an expression by recursive descent, as deep as ``depthBound``.
struct XPathParser {
    private let bytes: [UInt8]
    private let namespaces: [String: String]
    private var offset = 0
    private var depth = 0
    private static let depthBound = 50

    init(_ text: String, namespaces: [String: String]) {
        bytes = Array(text.utf8)
        self.namespaces = namespaces
    }

    mutating func parse() throws(LineFault) -> XPath.Expression {
        guard bytes.count <= XPath.byteBound else {
            throw LineFault(0, "an expression has at most \(XPath.byteBound) bytes")
        }
        let expression = try readExpression()
        skipBlanks()
        guard offset == bytes.count else { throw fault("an operator or the end is expected") }
        return expression
    }

    // MARK: Operators, the loosest first (§3.4)

    private static let levels: [[(text: String, meaning: XPath.Operator)]] = [
        [("or", .or)], [("and", .and)], [("!=", .unequal), ("=", .equal)],
        [("<=", .atMost), (">=", .atLeast), ("<", .less), (">", .greater)], [("+", .plus), ("-", .minus)],
        [("*", .times), ("div", .divided), ("mod", .remainder)],
    ]

    private mutating func readExpression(_ level: Int = 0) throws(LineFault) -> XPath.Expression {
        guard level < Self.levels.count else { return try readUnary() }
        if level == 0 {
            depth += 1
            guard depth <= Self.depthBound else { throw fault("the expression is more than \(Self.depthBound) deep") }
        }
        defer { if level == 0 { depth -= 1 } }
        var left = try readExpression(level + 1)
        while let meaning = takeOperator(level) {
            left = .binary(meaning, left, try readExpression(level + 1))
        }
        return left
    }

    private mutating func takeOperator(_ level: Int) -> XPath.Operator? {
        skipBlanks()
        for (text, meaning) in Self.levels[level] where starts(with: text) {
            let end = offset + text.utf8.count
            // A word ends before the next letter.
            if text.utf8.allSatisfy(\.isASCIILetter), end < bytes.count, Self.isOfName(bytes[end]) { continue }
            offset = end
            return meaning
        }
        return nil
    }

    private mutating func readUnary() throws(LineFault) -> XPath.Expression {
        var isNegated = false
        while takeText("-") { isNegated.toggle() }
        var value = try readPathExpression()
        while takeText("|") { value = .binary(.union, value, try readPathExpression()) }
        return isNegated ? .negated(value) : value
    }

    // MARK: Paths

    private mutating func readPathExpression() throws(LineFault) -> XPath.Expression {
        skipBlanks()
        guard let byte = current else { throw fault("an expression is expected") }
        let isNumber = byte.isASCIIDigit || byte == UInt8(ascii: ".") && next?.isASCIIDigit == true
        let isCall = Self.isOfName(byte) && callName != nil
        guard isNumber || isCall || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
        else { return try readLocationPath() }
        let primary = try readPrimary()
        let predicates = try readPredicates()
        var steps: [XPath.Step] = []
        skipBlanks()
        if current == UInt8(ascii: "/") { steps = try readSteps() }
        return predicates.isEmpty && steps.isEmpty ? primary : .filter(primary, predicates: predicates, steps)
    }

    private mutating func readLocationPath() throws(LineFault) -> XPath.Expression {
        guard current == UInt8(ascii: "/") else {
            return .path(root: nil, [try readStep()] + (try readSteps()))
        }
        let root = offset
        if next != UInt8(ascii: "/") {
            offset += 1
            skipBlanks()
            guard let byte = current, Self.isOfName(byte) || "*@.".utf8.contains(byte) else {
                return .path(root: root, [])
            }
            return .path(root: root, [try readStep()] + (try readSteps()))
        }
        return .path(root: root, try readSteps())
    }

    /// `/a//b`: what follows a step.
    private mutating func readSteps() throws(LineFault) -> [XPath.Step] {
        var steps: [XPath.Step] = []
        while takeText("/") {
            if current == UInt8(ascii: "/") {
                offset += 1
                steps.append(XPath.Step(axis: .descendantOrSelf, test: .node, predicates: []))
            }
            steps.append(try readStep())
        }
        return steps
    }

    private mutating func readStep() throws(LineFault) -> XPath.Step {
        skipBlanks()
        if takeText("..") { return XPath.Step(axis: .parent, test: .node, predicates: []) }
        if takeText(".") { return XPath.Step(axis: .self, test: .node, predicates: []) }
        var axis = XPath.Axis.child
        if takeText("@") {
            axis = .attribute
        } else if let named = try takeAxis() {
            axis = named
        }
        let test = try readTest()
        return XPath.Step(axis: axis, test: test, predicates: try readPredicates())
    }

    private mutating func takeAxis() throws(LineFault) -> XPath.Axis? {
        let start = offset
        let word = readWord()
        guard !word.isEmpty, takeText("::") else {
            offset = start
            return nil
        }
        guard let axis = XPath.Axis(rawValue: word) else {
            throw LineFault(start, "the axis \(QuotedText.quote(word)) is not known")
        }
        return axis
    }

    private mutating func readTest() throws(LineFault) -> XPath.Test {
        skipBlanks()
        if takeText("*") { return .anyName }
        let start = offset
        let word = readWord()
        guard !word.isEmpty else { throw fault("the name of an element or an attribute is expected") }
        if takeText("(") {
            // A processing instruction may be named.
            if word == "processing-instruction", current != UInt8(ascii: ")") { _ = try readLiteral() }
            guard takeText(")") else { throw fault(") is expected") }
            switch word {
            case "node": return .node
            case "text": return .text
            case "comment", "processing-instruction": return .nothing
            default: throw LineFault(start, "\(QuotedText.quote(word)) is no test of a node")
            }
        }
        guard current == UInt8(ascii: ":"), next != UInt8(ascii: ":") else {
            return .name(XMLDocument.Name(namespace: .none, local: Array(word.utf8)))
        }
        guard let namespace = namespaces[word] else {
            throw LineFault(
                start, "the prefix \(QuotedText.quote(word)) stands for no namespace; name it in namespaces")
        }
        offset += 1
        if takeText("*") { return .anyOf(namespace: XMLDocument.Namespace(Array(namespace.utf8))) }
        let local = readWord()
        guard !local.isEmpty else { throw fault("a name is expected behind the prefix") }
        return .name(
            XMLDocument.Name(namespace: XMLDocument.Namespace(Array(namespace.utf8)), local: Array(local.utf8)))
    }

    private mutating func readPredicates() throws(LineFault) -> [XPath.Expression] {
        var predicates: [XPath.Expression] = []
        while takeText("[") {
            predicates.append(try readExpression())
            guard takeText("]") else { throw fault("] is expected") }
        }
        return predicates
    }

    // MARK: Values

    private mutating func readPrimary() throws(LineFault) -> XPath.Expression {
        if takeText("(") {
            let inner = try readExpression()
            guard takeText(")") else { throw fault(") is expected") }
            return inner
        }
        guard let byte = current else { throw fault("a value is expected") }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return .literal(try readLiteral()) }
        if Self.isOfName(byte), !byte.isASCIIDigit, byte != UInt8(ascii: ".") { return try readCall() }
        let start = offset
        while let byte = current, byte.isASCIIDigit || byte == UInt8(ascii: ".") { offset += 1 }
        guard let number = Double(xpath: bytes[start..<offset]) else { throw LineFault(start, "this is no number") }
        return .number(number)
    }

    private mutating func readLiteral() throws(LineFault) -> [UInt8] {
        skipBlanks()
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault("a text in quotes is expected")
        }
        guard let end = bytes[(offset + 1)...].firstIndex(of: quote) else { throw fault("the text has no end") }
        defer { offset = end + 1 }
        return Array(bytes[(offset + 1)..<end])
    }

    private mutating func readCall() throws(LineFault) -> XPath.Expression {
        let start = offset
        let word = readWord()
        guard let function = XPath.Function(rawValue: word) else {
            throw LineFault(
                start,
                "the function \(QuotedText.quote(word)) is not known"
                    + (NearestName.find(word, in: XPath.Function.allCases.map(\.rawValue)).map { "; nearest is \($0)" }
                        ?? ""))
        }
        guard takeText("(") else { throw fault("( is expected") }
        var arguments: [XPath.Expression] = []
        if !takeText(")") {
            repeat { arguments.append(try readExpression()) } while takeText(",")
            guard takeText(")") else { throw fault(", or ) is expected") }
        }
        guard function.arguments.contains(arguments.count) else {
            throw LineFault(start, "\(word)() has not \(Plural.count(arguments.count, "argument"))")
        }
        return .call(function, arguments)
    }

    /// The name of a function that is called here; nil for a test of a node, and for any other word.
    private var callName: String? {
        var copy = self
        let word = copy.readWord()
        guard !word.isEmpty, !["node", "text", "comment", "processing-instruction"].contains(word), copy.takeText("(")
        else {
            return nil
        }
        return word
    }

    // MARK: Moving

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }
    private var next: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }

    private func starts(with text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    /// Takes the text behind blanks, where it stands there.
    private mutating func takeText(_ text: String) -> Bool {
        skipBlanks()
        guard starts(with: text) else { return false }
        offset += text.utf8.count
        return true
    }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    /// A name without a colon; empty where none stands.
    private mutating func readWord() -> String {
        skipBlanks()
        let start = offset
        while let byte = current, Self.isOfName(byte) { offset += 1 }
        guard offset > start, !bytes[start].isASCIIDigit, !"-.".utf8.contains(bytes[start]) else {
            offset = start
            return ""
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || "_-.".utf8.contains(byte)
    }

    private func fault(_ sentence: String) -> LineFault { LineFault(offset, sentence) }
}

extension Double {
    /// A number of XPath: digits with a point, and a minus sign in front (§3.5, §4.4); nil for other text.
    init?(xpath text: some Collection<UInt8>) {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard digits.contains(where: \.isASCIIDigit), digits.count(where: { $0 == UInt8(ascii: ".") }) < 2,
            digits.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
        else { return nil }
        var written = String(decoding: text, as: UTF8.self)
        if written.hasSuffix(".") { written += "0" }
        self.init(written)
    }
}
