/// Reads DER elements one after the other; what is cut off, or longer than what is there, is nil.
struct DERReader {
    /// One element.
    struct Element: Equatable {
        let tag: UInt8
        let content: ArraySlice<UInt8>
        /// With tag and length, as it stood there.
        let whole: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element, whatever it is; lengths in the short form or in at most three bytes.
    mutating func next() -> Element? {
        let start = rest
        guard let tag = rest.popFirst(), tag & 0x1F != 0x1F, let first = rest.popFirst() else { return nil }
        var count = Int(first)
        if first >= 0x80 {
            guard case 0x81...0x83 = first else { return nil }
            count = 0
            for _ in 0..<Int(first & 0x7F) {
                guard let byte = rest.popFirst() else { return nil }
                count = count << 8 | Int(byte)
            }
        }
        guard count <= rest.count else { return nil }
        let content = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Element(tag: tag, content: content, whole: start[start.startIndex..<content.endIndex])
    }

    /// The content of the next element, if it has that tag; otherwise nothing is taken.
    mutating func take(_ tag: UInt8) -> ArraySlice<UInt8>? {
        var copy = self
        guard let element = copy.next(), element.tag == tag else { return nil }
        self = copy
        return element.content
    }
}
