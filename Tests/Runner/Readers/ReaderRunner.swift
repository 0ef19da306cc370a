/// Reads bytes with a parser of the product and compares what it tells.
///
/// A block that is named as a reader holds bytes, and the block `events` behind it the lines that reading them must give. A
/// block `cases READER` holds a row in each line: `given => wanted`.
struct ReaderRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        var input: Block?
        for block in row.blocks {
            switch block.name {
            case "slow": break
            case "cases": try runCases(block, &check)
            case "events":
                guard let given = input else { throw RowError(block.line, "no bytes stand before these events") }
                try run(given, wanted: block, &check)
            case _ where Self.readers[block.name] != nil: input = block
            default:
                let known = Self.readers.keys.sorted().joined(separator: ", ")
                throw RowError(
                    block.line, "unknown block \"\(block.name)\"; blocks are cases, events and the readers: \(known)")
            }
        }
    }

    private func reader(_ name: String, _ block: Block) throws(RowError) -> DataReader {
        guard let reader = Self.readers[name] else {
            let known = Self.readers.keys.sorted().joined(separator: ", ")
            throw RowError(block.line, "unknown reader \"\(name)\"; readers: \(known)")
        }
        return reader
    }

    /// `given => wanted` in each line, but of comments, which begin with `# `; a line without `=>` wants nothing yet, which --record fills.
    private func runCases(_ block: Block, _ check: inout Check) throws {
        let reader = try reader(block.words.first ?? "", block)
        let parameters = Block(info: block.words.joined(separator: " "), text: "", line: block.line)
        for (index, line) in block.lines.enumerated() where !line.isEmpty && !line.hasPrefix("# ") {
            let parts = line.split(separator: " => ", maxSplits: 1, omittingEmptySubsequences: false)
            let given = String(parts[0])
            let wanted = parts.count > 1 ? String(parts[1]) : ""
            guard parts.count > 1 || check.isRecording else {
                throw RowError(block.line + index + 1, "expected given => wanted")
            }
            let place = block.line + index + 1
            let bytes = try bytes(of: given, inLine: true, reader, block, line: place)
            let lines: [String]
            do { lines = try reader.read([bytes], parameters) } catch let error as TextError {
                throw RowError(place, "\(error)")
            }
            check.expect(block, line: index, given: given, wanted: wanted, got: lines.joined(separator: "; "))
            if reader.takesPieces { try cut(bytes, reader, parameters, whole: lines, block, &check) }
        }
    }

    private func run(_ given: Block, wanted: Block, _ check: inout Check) throws {
        let reader = try reader(given.name, given)
        let bytes = try bytes(of: given.text, inLine: false, reader, given, line: given.line)
        let lines: [String]
        do { lines = try reader.read([bytes], given) } catch let error as TextError {
            throw RowError(given.line, "\(error)")
        }
        check.expect(wanted, got: Self.text(lines))
        if reader.takesPieces { try cut(bytes, reader, given, whole: lines, wanted, &check) }
    }

    /// Byte by byte, cut in two at each place (of long input at some), between empty pieces, and with bytes behind it.
    private func cut(
        _ bytes: [UInt8], _ reader: DataReader, _ given: Block, whole: [String], _ wanted: Block, _ check: inout Check
    ) throws {
        func same(_ pieces: [[UInt8]], _ how: String) throws {
            let lines = try reader.read(pieces, given)
            check.require(
                lines == whole, wanted, "what the whole input gave\n" + Self.text(whole),
                got: how + "\n" + Self.text(lines))
        }
        try same(bytes.map { [$0] }, "byte by byte")
        let step = bytes.count <= 400 ? 1 : bytes.count / 100
        for place in stride(from: 0, through: bytes.count, by: step) {
            try same([Array(bytes[..<place]), Array(bytes[place...])], "cut at \(place)")
        }
        try same([[], bytes, []], "between empty pieces")
        guard let last = whole.last, last == "end" || last.hasPrefix("refused "), !given.has("ends") else { return }
        for trailing in reader.trailing {
            let together = try reader.read([bytes + trailing], given)
            let isSame = last == "end" ? Array(together.prefix(whole.count)) == whole : together == whole
            check.require(
                isSame, wanted, "what the whole input gave\n" + Self.text(whole),
                got: "with bytes behind\n" + Self.text(together))
        }
    }

    private func bytes(
        of text: String, inLine: Bool, _ reader: DataReader, _ block: Block, line: Int
    ) throws(RowError) -> [UInt8] {
        if block.has("hex") { return try Self.hexadecimal(text, line) }
        if reader.isText, !block.has("escaped") { return Array(text.utf8) }
        return inLine ? try ByteText.bytes(inLine: text, line: line) : try ByteText.bytes(text, line: line)
    }

    private static func hexadecimal(_ text: String, _ line: Int) throws(RowError) -> [UInt8] {
        do { return try ByteText.hexadecimal(text[...]) } catch { throw RowError(line, "\(error)") }
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
