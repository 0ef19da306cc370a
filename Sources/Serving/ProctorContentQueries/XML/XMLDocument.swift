internal import ProctorBase

/// An XML document (XML 1.0, Namespaces in XML 1.0) as a list of nodes, each before the nodes inside it.
///
/// There is no document type, and so there are no entities but those of XML itself, and nothing outside is read. Comments
/// and processing instructions are left out, and CDATA is text.
struct XMLDocument: Sendable {
    /// Never empty; the first node is the root element.
    var nodes: [Node] = []

    /// A name without its prefix, with the namespace that the prefix stands for.
    struct Name: Sendable, Hashable {
        let namespace: Namespace
        let local: [UInt8]
    }

    /// A namespace, whose hash is made once, since thousands of names may be in one.
    struct Namespace: Sendable, Hashable {
        /// Empty for none.
        let bytes: [UInt8]
        private let hash: Int

        static let none = Namespace([])

        init(_ bytes: [UInt8]) { (self.bytes, hash) = (bytes, bytes.hashValue) }

        static func == (left: Self, right: Self) -> Bool { left.hash == right.hash && left.bytes == right.bytes }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    struct Attribute: Sendable, Hashable {
        let name: Name
        let value: [UInt8]
    }

    struct Node: Sendable {
        let kind: Kind
        /// -1 for the root element.
        let parent: Int
        /// The index behind the last node inside this one.
        var end: Int
    }

    enum Kind: Sendable {
        /// Namespace declarations are no attributes.
        case element(Name, [Attribute])
        /// Never empty; two texts never follow each other.
        case text([UInt8])
    }

    static let depthBound = 200
    static let nodeBound = 100_000

    /// In UTF-8, or in ISO 8859-1 or US-ASCII where the XML declaration says so.
    init(parsing bytes: [UInt8]) throws(LineFault) {
        var reader = XMLReader(try XMLEncoding.utf8(bytes))
        try reader.read()
        nodes = reader.nodes
    }

    /// The nodes directly inside one, counted by the budget.
    func children(of index: Int, within budget: WorkBudget?) throws(SpentBudget) -> [Int] {
        try budget?.spend()
        var children: [Int] = []
        var next = index + 1
        while next < nodes[index].end {
            try budget?.spend()
            children.append(next)
            next = nodes[next].end
        }
        return children
    }

    /// All text inside a node, in order (XPath 1.0 §5.2); the budget counts nodes and bytes.
    func text(of index: Int, within budget: WorkBudget?) throws(SpentBudget) -> [UInt8] {
        var text: [UInt8] = []
        for node in index..<nodes[index].end {
            try budget?.spend()
            guard case .text(let bytes) = nodes[node].kind else { continue }
            try budget?.spend(Self.stepCount(ofText: bytes))
            text += bytes
        }
        return text
    }

    /// The steps of a budget that it takes to read a text.
    static func stepCount(ofText bytes: [UInt8]) -> Int { bytes.count / 32 }
}

/// The encodings that are read.
private enum XMLEncoding {
    static func utf8(_ bytes: [UInt8]) throws(LineFault) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
        switch declared(in: body)?.lowercased() ?? "utf-8" {
        case "utf-8", "us-ascii", "ascii":
            guard String(validating: body, as: UTF8.self) != nil else { throw LineFault(0, "the bytes are not UTF-8") }
            return body
        case "iso-8859-1", "latin1":
            return body.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
        case let other: throw LineFault(0, "the encoding \(QuotedText.quote(other)) is not read; UTF-8 is")
        }
    }

    /// The encoding in the XML declaration; nil without one.
    private static func declared(in bytes: [UInt8]) -> String? {
        guard bytes.starts(with: "<?xml".utf8) else { return nil }
        let head = String(decoding: bytes.prefix { $0 != UInt8(ascii: ">") }.prefix(200), as: UTF8.self)
        guard let word = head.firstRange(ofText: "encoding"),
            let open = head[word.upperBound...].firstIndex(where: { $0 == "\"" || $0 == "'" })
        else { return nil }
        let rest = head[head.index(after: open)...]
        return String(rest.prefix { $0 != head[open] })
    }
}
