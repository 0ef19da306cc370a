/// What is kept of a value of a JSON text: where it stands, and which value follows it.
struct JSONNode {
    /// The offset of a member's name; for a value that is no member, the offset of the value.
    private let start: UInt32
    /// The index behind the last value inside this one, and two flags.
    private var word: UInt32

    private static let memberFlag: UInt32 = 1 << 31
    private static let shadowFlag: UInt32 = 1 << 30
    /// The most values of a document, and the most bytes of its text.
    static let countBound = 1 << 30 - 1
    static let byteBound = Int(UInt32.max)

    /// Within the bounds.
    init(offset: Int, isMember: Bool, end: Int) {
        start = UInt32(offset)
        word = UInt32(end) | (isMember ? Self.memberFlag : 0)
    }

    var offset: Int { Int(start) }
    var isMember: Bool { word & Self.memberFlag != 0 }

    /// Whether a later member has the same name.
    var isShadowed: Bool {
        get { word & Self.shadowFlag != 0 }
        set { word = newValue ? word | Self.shadowFlag : word & ~Self.shadowFlag }
    }

    var end: Int {
        get { Int(word & ~(Self.memberFlag | Self.shadowFlag)) }
        set { word = word & (Self.memberFlag | Self.shadowFlag) | UInt32(newValue) }
    }
}

/// Reads a JSON text into the nodes of its values.
struct JSONNodeReader {
    private var nodes: [JSONNode] = []
    private var cursor = JSONCursor()
    /// The objects and lists that are not closed.
    private var open: [(index: Int, isObject: Bool)] = []
    /// The offset of the name in front of the next value.
    private var name: Int?
    private var names = JSONNames()
    private let limit: Int

    static func nodes(of text: borrowing Span<UInt8>, limit: Int) throws(LineFault) -> [JSONNode] {
        guard text.count <= JSONNode.byteBound else {
            throw LineFault(0, "the text has \(text.count) bytes; at most \(JSONNode.byteBound) are read")
        }
        var reader = JSONNodeReader(limit: min(limit, JSONNode.countBound))
        try reader.read(text)
        return reader.nodes
    }

    private init(limit: Int) { self.limit = limit }

    private mutating func read(_ text: borrowing Span<UInt8>) throws(LineFault) {
        // Growing step by step would take three times the memory for a moment.
        if text.count >= 1 << 16 { nodes.reserveCapacity(min(limit, Self.mostValues(in: text))) }
        repeat {
            try readValue(text)
        } while try goesOn(text)
        guard cursor.offset == text.count else { throw cursor.unexpected(text, "the end of the JSON") }
    }

    /// As many values as there are, or more: a value begins the text or follows a comma, a colon or a bracket.
    private static func mostValues(in text: borrowing Span<UInt8>) -> Int {
        var count = 1
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
            default: continue
            }
        }
        return count
    }

    /// Closes the objects and lists that end after a value; returns whether another value follows.
    private mutating func goesOn(_ text: borrowing Span<UInt8>) throws(LineFault) -> Bool {
        Self.skipBlanks(&cursor, text)
        while let container = open.last {
            let (index, isObject) = container
            let byte = cursor.peek(text)
            if nodes.count > index + 1, byte == UInt8(ascii: ",") {
                cursor.offset += 1
                Self.skipBlanks(&cursor, text)
                name = isObject ? try readName(text) : nil
                return true
            }
            if byte == UInt8(ascii: isObject ? "}" : "]") {
                cursor.offset += 1
                open.removeLast()
                nodes[index].end = nodes.count
                if isObject { names.shadow(membersOf: index, in: &nodes, text) }
            } else if nodes.count == index + 1 {
                name = isObject ? try readName(text) : nil
                return true
            } else {
                throw isObject ? cursor.unexpected(text, "',' or '}'") : cursor.unexpected(text, "',' or ']'")
            }
            Self.skipBlanks(&cursor, text)
        }
        return false
    }

    private mutating func readValue(_ text: borrowing Span<UInt8>) throws(LineFault) {
        Self.skipBlanks(&cursor, text)
        guard nodes.count < limit else { throw LineFault(cursor.offset, "there are more than \(limit) values") }
        let start = cursor.offset
        nodes.append(JSONNode(offset: name ?? start, isMember: name != nil, end: nodes.count + 1))
        name = nil
        switch cursor.peek(text) {
        case UInt8(ascii: "{"): try openContainer(isObject: true)
        case UInt8(ascii: "["): try openContainer(isObject: false)
        case UInt8(ascii: "\""): _ = try cursor.text(text, "a text")
        case UInt8(ascii: "t"): try cursor.literal("true", text, "a value")
        case UInt8(ascii: "f"): try cursor.literal("false", text, "a value")
        case UInt8(ascii: "n"): try cursor.literal("null", text, "a value")
        default:
            let number = try cursor.number(text, "a value")
            guard !number.hasExponent || JSONDecimal((number.start..<number.end).map { text[$0] }) != nil else {
                throw LineFault(start, "an exponent has at most \(JSONDecimal.exponentDigitBound) digits")
            }
        }
    }

    private mutating func openContainer(isObject: Bool) throws(LineFault) {
        guard open.count < JSONDocument.depthBound else {
            throw LineFault(cursor.offset, "objects and lists go no more than \(JSONDocument.depthBound) levels deep")
        }
        open.append((nodes.count - 1, isObject))
        cursor.offset += 1
    }

    /// Reads a name and its colon; returns where the name begins.
    private mutating func readName(_ text: borrowing Span<UInt8>) throws(LineFault) -> Int {
        let start = cursor.offset
        _ = try cursor.text(text, "a key in double quotes")
        Self.skipBlanks(&cursor, text)
        guard cursor.peek(text) == UInt8(ascii: ":") else { throw cursor.unexpected(text, "':' behind a key") }
        cursor.offset += 1
        return start
    }

    /// Where the value of a member begins whose name, which was read before, begins at the offset.
    static func valueOffset(behindNameAt name: Int, _ text: borrowing Span<UInt8>) -> Int {
        var cursor = JSONCursor(offset: name)
        _ = cursor.range(ofReadTextIn: text)
        skipBlanks(&cursor, text)
        cursor.offset += 1
        skipBlanks(&cursor, text)
        return cursor.offset
    }

    private static func skipBlanks(_ cursor: inout JSONCursor, _ text: borrowing Span<UInt8>) {
        while let byte = cursor.peek(text), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            cursor.offset += 1
        }
    }
}

/// Finds members of one object that have the same name, by a table of 4 to 16 bytes a member.
private struct JSONNames {
    /// Indexes of members by the hash of their names (open addressing); a free slot has `UInt32.max`.
    private var slots: [UInt32] = []

    /// Marks each member of the object at `index` that a later one with its name replaces.
    mutating func shadow(membersOf index: Int, in nodes: inout [JSONNode], _ text: borrowing Span<UInt8>) {
        let end = nodes[index].end
        var count = 0
        var member = index + 1
        while member < end {
            count += 1
            member = nodes[member].end
        }
        guard count > 1 else { return }
        // At most half of the slots are used.
        let mask = 1 << (Int.bitWidth - (count * 2 - 1).leadingZeroBitCount) - 1
        slots.removeAll(keepingCapacity: slots.capacity <= 1 << 16 || slots.capacity <= 4 * mask)
        slots.append(contentsOf: repeatElement(.max, count: mask + 1))
        member = index + 1
        while member < end {
            let name = Self.name(nodes[member], text)
            var slot = name.hashValue & mask
            while slots[slot] != .max {
                let other = Int(slots[slot])
                if Self.name(nodes[other], text) == name {
                    nodes[other].isShadowed = true
                    break
                }
                slot = (slot + 1) & mask
            }
            slots[slot] = UInt32(member)
            member = nodes[member].end
        }
    }

    private static func name(_ node: JSONNode, _ text: borrowing Span<UInt8>) -> [UInt8] {
        var cursor = JSONCursor(offset: node.offset)
        return cursor.range(ofReadTextIn: text).unescaped(text)
    }
}
