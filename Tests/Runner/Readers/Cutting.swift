import ProctorTestSupport

/// Reads the same bytes in other ways, all of which must give what reading them whole gave.
struct Cutting {
    private let reader: DataReader
    /// How the bytes are read.
    private let words: Block
    /// What is told of a difference.
    private let block: Block
    private let whole: [String]

    init(_ reader: DataReader, _ words: Block, _ block: Block, whole: [String]) {
        self.reader = reader
        self.words = words
        self.block = block
        self.whole = whole
    }

    /// Byte by byte, cut in two at each of the places (of many at some), between empty pieces, and with bytes behind it.
    func verify(_ bytes: [UInt8], at places: ClosedRange<Int>, _ check: inout Check) throws {
        try same(bytes.map { [$0] }, "byte by byte", &check)
        for place in stride(from: places.lowerBound, through: places.upperBound, by: Self.step(places.count)) {
            try same([Array(bytes[..<place]), Array(bytes[place...])], "cut at \(place)", &check)
        }
        try same([[], bytes, []], "between empty pieces", &check)
        if reader.isFuzzed { try fuzz(bytes, &check) }
        guard let last = whole.last, last == "end" || last.hasPrefix("refused "), !words.has("ends") else { return }
        for trailing in reader.trailing {
            let together = try reader.read([bytes + trailing], words)
            let isSame = last == "end" ? Array(together.prefix(whole.count)) == whole : together == whole
            require(isSame, together, "with bytes behind", &check)
            let apart = try reader.read((bytes + trailing).map { [$0] }, words)
            require(apart == together, apart, "with bytes behind, byte by byte", &check)
        }
        try follow(bytes, &check)
    }

    /// Every place of short input, and a hundred of longer.
    private static func step(_ count: Int) -> Int { count <= 400 ? 1 : count / 100 }

    /// Another message behind this one.
    private func follow(_ bytes: [UInt8], _ check: inout Check) throws {
        guard let next = reader.next, whole.last == "end", !words.words.contains(where: { $0.hasSuffix("-limit") }),
            whole.last(where: { $0.hasPrefix("head ") })?.contains(", close") == false
        else { return }
        let longer = Block(
            info: ([words.name] + next.words(words)).joined(separator: " "), text: "", line: words.line)
        let together = try reader.read([bytes + next.bytes], longer)
        require(together == whole + next.lines, together, "with another message behind", &check)
    }

    /// With a few bytes changed; alike for each run.
    private func fuzz(_ bytes: [UInt8], _ check: inout Check) throws {
        var random = SeededGenerator(seed: UInt64(bytes.count))
        let special = Array("\r\n :\t;,%/?#0\u{00}H[12".utf8) + [0xFF]
        func number(below count: Int) -> Int { Int(random.next() % UInt64(count)) }
        for _ in 0..<4 {
            var input = bytes
            for _ in 0...number(below: 4) where !input.isEmpty {
                let place = number(below: input.count)
                let byte = special[number(below: special.count)]
                switch number(below: 4) {
                case 0: input[place] = byte
                case 1: input.insert(byte, at: place)
                case 2: input.remove(at: place)
                default: input.removeSubrange(place...)
                }
            }
            let place = number(below: input.count + 1)
            let other = Cutting(reader, words, block, whole: try reader.read([input], words))
            try other.same(input.map { [$0] }, "byte by byte of \(ByteText.inLine(input))", &check)
            try other.same(
                [Array(input[..<place]), Array(input[place...])], "cut at \(place) of \(ByteText.inLine(input))",
                &check)
        }
    }

    private func same(_ pieces: [[UInt8]], _ how: String, _ check: inout Check) throws {
        let lines = try reader.read(pieces, words)
        require(lines == whole, lines, how, &check)
    }

    private func require(
        _ holds: Bool, _ lines: @autoclosure () -> [String], _ how: @autoclosure () -> String, _ check: inout Check
    ) {
        check.require(
            holds, block, "what the whole input gave\n" + Self.text(whole), got: how() + "\n" + Self.text(lines()))
    }

    /// Lines as a block has them.
    static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
