internal import ProctorBase

/// Reads the nodes of a document in UTF-8; goes through it once, without recursion.
struct XMLReader {
    private let bytes: [UInt8]
    private var offset = 0
    private(set) var nodes: [XMLDocument.Node] = []
    private var open: [OpenElement] = []
    /// The namespaces that each prefix is bound to, the innermost last.
    private var bindings: [[UInt8]: [XMLDocument.Namespace]] = [
        Array("xml".utf8): [XMLDocument.Namespace(Array("http://www.w3.org/XML/1998/namespace".utf8))]
    ]
    private var text: [UInt8] = []

    private struct OpenElement {
        let index: Int
        /// As it was written, for its end tag.
        let name: [UInt8]
        /// The prefixes that it binds, the default namespace as an empty one.
        let prefixes: [[UInt8]]
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(LineFault) {
        if starts(with: "<?xml") { try skip(past: "?>", "the XML declaration") }
        try skipMisc()
        guard current == UInt8(ascii: "<") else { throw fault("an element is expected") }
        try readStartTag()
        while !open.isEmpty { try readContent() }
        try skipMisc()
        guard offset == bytes.count else { throw fault("nothing is expected behind the root element") }
    }

    // MARK: Parts

    private mutating func readContent() throws(LineFault) {
        guard let byte = current else {
            throw fault("the document ends inside <\(string(open.last?.name ?? []))>")
        }
        switch byte {
        case UInt8(ascii: "<"):
            if starts(with: "</") { return try readEndTag() }
            if starts(with: "<!--") { return try skipComment() }
            if starts(with: "<![CDATA[") { return try readCDATA() }
            if starts(with: "<?") { return try skip(past: "?>", "a processing instruction") }
            if starts(with: "<!") { throw fault("a declaration has no place inside an element") }
            try endText()
            try readStartTag()
        case UInt8(ascii: "&"): text += try readReference()
        case UInt8(ascii: "]") where starts(with: "]]>"): throw fault("]]> has no place in text")
        default: text.append(try readCharacter())
        }
    }

    /// White space, comments and processing instructions.
    private mutating func skipMisc() throws(LineFault) {
        while true {
            skipBlanks()
            if starts(with: "<!--") {
                try skipComment()
            } else if starts(with: "<?") {
                try skip(past: "?>", "a processing instruction")
            } else if starts(with: "<!DOCTYPE") {
                throw fault("a document type is not read, since it may declare entities")
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(LineFault) {
        offset += 4
        try skip(past: "--", "a comment")
        guard current == UInt8(ascii: ">") else { throw fault("-- has no place in a comment") }
        offset += 1
    }

    private mutating func readCDATA() throws(LineFault) {
        let start = offset + 9
        try skip(past: "]]>", "CDATA")
        text += bytes[start..<(offset - 3)]
    }

    private mutating func readStartTag() throws(LineFault) {
        let start = offset
        guard open.count < XMLDocument.depthBound else {
            throw fault("elements are more than \(XMLDocument.depthBound) deep")
        }
        offset += 1
        let name = try readName()
        var attributes: [(name: [UInt8], value: [UInt8], offset: Int)] = []
        var names: Set<[UInt8]> = []
        while true {
            let hasBlank = skipBlanks()
            if starts(with: "/>") || current == UInt8(ascii: ">") { break }
            guard hasBlank else { throw fault("white space, > or /> is expected") }
            let place = offset
            let attribute = try readName()
            guard names.insert(attribute).inserted else {
                throw LineFault(place, "the attribute \(string(attribute)) stands there twice")
            }
            skipBlanks()
            guard current == UInt8(ascii: "=") else { throw fault("= is expected behind the name of an attribute") }
            offset += 1
            skipBlanks()
            attributes.append((attribute, try readValue(), place))
        }
        var prefixes: [[UInt8]] = []
        for attribute in attributes {
            guard let prefix = Self.boundPrefix(attribute.name) else { continue }
            guard !attribute.value.isEmpty || prefix.isEmpty else {
                throw LineFault(attribute.offset, "a prefix is bound to no namespace")
            }
            prefixes.append(prefix)
            bindings[prefix, default: []].append(XMLDocument.Namespace(attribute.value))
        }
        var kept: [XMLDocument.Attribute] = []
        var keptNames: Set<XMLDocument.Name> = []
        for attribute in attributes where Self.boundPrefix(attribute.name) == nil {
            let name = try resolve(attribute.name, isAttribute: true, at: attribute.offset)
            guard keptNames.insert(name).inserted else {
                throw LineFault(attribute.offset, "the attribute \(string(attribute.name)) stands there twice")
            }
            kept.append(XMLDocument.Attribute(name: name, value: attribute.value))
        }
        let index = nodes.count
        try add(.element(try resolve(name, isAttribute: false, at: start), kept))
        open.append(OpenElement(index: index, name: name, prefixes: prefixes))
        if current == UInt8(ascii: "/") {
            offset += 2
            closeElement()
        } else {
            offset += 1
        }
    }

    private mutating func readEndTag() throws(LineFault) {
        try endText()
        let start = offset
        offset += 2
        let name = try readName()
        skipBlanks()
        guard let element = open.last, element.name == name else {
            throw LineFault(start, "</\(string(name))> closes <\(string(open.last?.name ?? []))>")
        }
        guard current == UInt8(ascii: ">") else { throw fault("> is expected") }
        offset += 1
        closeElement()
    }

    private mutating func closeElement() {
        guard let element = open.popLast() else { return }
        nodes[element.index].end = nodes.count
        for prefix in element.prefixes { bindings[prefix]?.removeLast() }
    }

    private mutating func endText() throws(LineFault) {
        guard !text.isEmpty else { return }
        try add(.text(text))
        text = []
    }

    private mutating func add(_ kind: XMLDocument.Kind) throws(LineFault) {
        guard nodes.count < XMLDocument.nodeBound else {
            throw fault("there are more than \(XMLDocument.nodeBound) elements and texts")
        }
        nodes.append(XMLDocument.Node(kind: kind, parent: open.last?.index ?? -1, end: nodes.count + 1))
    }

    // MARK: Names

    /// The prefix that an attribute binds, empty for the default namespace; nil for another attribute.
    private static func boundPrefix(_ name: [UInt8]) -> [UInt8]? {
        if name.elementsEqual("xmlns".utf8) { return [] }
        return name.starts(with: "xmlns:".utf8) ? Array(name.dropFirst(6)) : nil
    }

    private func resolve(
        _ name: [UInt8], isAttribute: Bool, at place: Int
    ) throws(LineFault) -> XMLDocument.Name {
        let parts = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count < 3, parts.allSatisfy({ !$0.isEmpty }) else {
            throw LineFault(place, "\(string(name)) is no name with a prefix")
        }
        guard parts.count == 2 || !isAttribute else { return XMLDocument.Name(namespace: .none, local: name) }
        let prefix = parts.count == 2 ? Array(parts[0]) : []
        let namespace = bindings[prefix]?.last
        guard namespace != nil || prefix.isEmpty else {
            throw LineFault(place, "the prefix \(string(prefix)) is bound to no namespace")
        }
        return XMLDocument.Name(namespace: namespace ?? .none, local: Array(parts.last ?? []))
    }

    private mutating func readName() throws(LineFault) -> [UInt8] {
        let start = offset
        while let byte = current, Self.isOfName(byte) { offset += 1 }
        guard offset > start, !bytes[start].isASCIIDigit, !"-.".utf8.contains(bytes[start]) else {
            offset = start
            throw fault("a name is expected")
        }
        return Array(bytes[start..<offset])
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit || "_:-.".utf8.contains(byte)
    }

    // MARK: Text

    /// The value of an attribute, white space as blanks (XML 1.0 §3.3.3).
    private mutating func readValue() throws(LineFault) -> [UInt8] {
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault("a value in quotes is expected")
        }
        offset += 1
        var value: [UInt8] = []
        while let byte = current, byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw fault("< has no place in the value of an attribute")
            case UInt8(ascii: "&"): value += try readReference()
            case 0x09, 0x0A, 0x0D:
                value.append(0x20)
                _ = try readCharacter()
            default: value.append(try readCharacter())
            }
        }
        guard current == quote else { throw fault("the value of an attribute has no end") }
        offset += 1
        return value
    }

    /// One byte of text, a line end as LF (§2.11).
    private mutating func readCharacter() throws(LineFault) -> UInt8 {
        let byte = bytes[offset]
        guard byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D else {
            throw fault("the control character \(byte) has no place in XML")
        }
        offset += 1
        guard byte == 0x0D else { return byte }
        if current == 0x0A { offset += 1 }
        return 0x0A
    }

    private static let entities: [String: UInt8] = [
        "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"), "quot": UInt8(ascii: "\""),
        "apos": UInt8(ascii: "'"),
    ]

    private mutating func readReference() throws(LineFault) -> [UInt8] {
        let start = offset
        guard let end = bytes[start...].prefix(64).firstIndex(of: UInt8(ascii: ";")) else {
            throw fault("& begins a reference, which ends in ;")
        }
        let name = string(Array(bytes[(start + 1)..<end]))
        offset = end + 1
        if let byte = Self.entities[name] { return [byte] }
        guard name.hasPrefix("#") else {
            throw LineFault(start, "the entity &\(name); is none of XML itself, and others are not read")
        }
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        guard let scalar = number.flatMap(Unicode.Scalar.init),
            scalar.value >= 0x20 || "\t\n\r".unicodeScalars.contains(scalar)
        else { throw LineFault(start, "&\(name); is no character of XML") }
        return Array(String(Character(scalar)).utf8)
    }

    // MARK: Moving

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func starts(with text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = offset
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
        return offset > start
    }

    private mutating func skip(past end: String, _ what: String) throws(LineFault) {
        let start = offset
        while offset < bytes.count, !starts(with: end) { offset += 1 }
        guard offset < bytes.count else { throw LineFault(start, "\(what) has no end") }
        offset += end.utf8.count
    }

    private func fault(_ sentence: String) -> LineFault { LineFault(offset, sentence) }

    private func string(_ bytes: [UInt8]) -> String { EscapedText.escape(bytes, limit: 80) }
}
