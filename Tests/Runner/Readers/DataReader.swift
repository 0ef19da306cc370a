/// A parser of the product, which tells what it reads as lines of text.
struct DataReader: Sendable {
    /// Whether the input may come in pieces; if so, every way of cutting it must give the same lines.
    let takesPieces: Bool
    /// Whether the input is text as it stands, without escapes and with LF at line ends; the word `escaped` takes it back.
    var isText = false
    /// What may follow complete or refused input and must change nothing that was read before.
    let trailing: [[UInt8]]
    /// A message that may follow complete input, and is read as if it came alone.
    let next: Next?
    /// Whether input with bytes changed at random must be read alike, however it is cut.
    let isFuzzed: Bool
    /// Throws ``RowError`` for words that it does not know.
    let read: @Sendable (_ pieces: [[UInt8]], _ block: Block) throws -> [String]

    struct Next: Sendable {
        let bytes: [UInt8]
        /// The words by which the input and this message are read.
        let words: @Sendable (Block) -> [String]
        let lines: [String]
    }

    /// A parser that is given all of its input at once.
    static func whole(_ read: @escaping @Sendable (_ input: [UInt8], _ block: Block) throws -> [String]) -> DataReader {
        DataReader(takesPieces: false, trailing: [], next: nil, isFuzzed: false) { pieces, block in
            try read(pieces.flatMap(\.self), block)
        }
    }

    /// A parser of text as it stands.
    static func text(_ read: @escaping @Sendable (_ text: String, _ block: Block) throws -> [String]) -> DataReader {
        var reader = whole { input, block in try read(String(decoding: input, as: UTF8.self), block) }
        reader.isText = true
        return reader
    }

    /// A parser of bytes that are mostly text as it stands.
    static func textBytes(_ read: @escaping @Sendable (_ input: [UInt8], _ block: Block) throws -> [String])
        -> DataReader
    {
        var reader = whole(read)
        reader.isText = true
        return reader
    }

    /// A parser of one line of text, whose result is one line.
    static func line(_ read: @escaping @Sendable (_ text: String) throws -> String) -> DataReader {
        whole { input, _ in [try read(String(decoding: input, as: UTF8.self))] }
    }

    /// A parser that is given its input in pieces.
    static func pieces(
        trailing: [[UInt8]] = [], next: Next? = nil, isFuzzed: Bool = false,
        _ read: @escaping @Sendable (_ pieces: [[UInt8]], _ block: Block) throws -> [String]
    ) -> DataReader {
        DataReader(takesPieces: true, trailing: trailing, next: next, isFuzzed: isFuzzed, read: read)
    }
}

/// What is wrong with words of a page; the runner adds the line.
struct TextError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension [String] {
    /// Lines that repeat, once with their number.
    var counted: [String] {
        var counted: [(line: String, count: Int)] = []
        for line in self {
            if counted.last?.line == line { counted[counted.count - 1].count += 1 } else { counted.append((line, 1)) }
        }
        return counted.map { $0.count == 1 ? $0.line : "\($0.count) times \($0.line)" }
    }
}
