import ProctorBase

/// Reads bytes with a parser of the product and compares what it tells.
///
/// A block that is named as a reader holds bytes, and the block `events` behind it the lines that reading them must give. A
/// block `cases READER` holds a row in each line: `given => wanted`.
struct ReaderRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        var input: Block?
        var around: Block?
        for block in row.blocks {
            switch block.name {
            case "slow": break
            case "around": around = block
            case "cases": try runCases(block, around, &check)
            case "events":
                guard let given = input else { throw RowError(block.line, "no bytes stand before these events") }
                try run(given, wanted: block, &check)
            case _ where Self.readers[block.name] != nil: input = block
            default:
                throw RowError(block.line, Self.unknown("block", block.name, among: ["around", "cases", "events"]))
            }
        }
    }

    private static func unknown(_ what: String, _ name: String, among others: [String]) -> String {
        let known = others + readers.keys.sorted()
        return "unknown \(what) \"\(name)\"; "
            + (NearestName.find(name, in: known).map { "did you mean \"\($0)\"?" }
                ?? "there are \(known.joined(separator: ", "))")
    }

    private func reader(_ name: String, _ block: Block) throws(RowError) -> DataReader {
        guard let reader = Self.readers[name] else {
            throw RowError(block.line, Self.unknown("reader", name, among: []))
        }
        return reader
    }

    /// `given => wanted` in each line, but of comments, which begin with `# `; a line without `=>` wants nothing yet, which --record fills.
    private func runCases(_ block: Block, _ around: Block?, _ check: inout Check) throws {
        let reader = try reader(block.words.first ?? "", block)
        let parameters = Block(info: block.words.joined(separator: " "), text: "", line: block.line)
        for (index, line) in block.lines.enumerated() where !line.isEmpty && !Self.isComment(line) {
            let (given, wanted) = Self.parts(of: line)
            guard wanted != nil || check.isRecording else {
                throw RowError(block.line + index + 1, "expected given => wanted")
            }
            let place = block.line + index + 1
            let (bytes, places) = try Self.put(
                bytes(of: given, inLine: true, reader, parameters, line: place), into: around)
            let lines = try read(bytes, reader, parameters, line: place)
            let shown = Self.shown(lines, by: parameters).joined(separator: "; ")
            check.expect(block, line: index, given: given, wanted: wanted ?? "", got: shown)
            if reader.takesPieces, !parameters.has("whole") {
                try Cutting(reader, parameters, block, whole: lines).verify(bytes, at: places, &check)
            }
        }
    }

    private func run(_ given: Block, wanted: Block, _ check: inout Check) throws {
        let reader = try reader(given.name, given)
        let bytes = try bytes(of: given.text, inLine: false, reader, given, line: given.line)
        let lines = try read(bytes, reader, given, line: given.line)
        check.expect(wanted, got: Cutting.text(Self.shown(lines, by: given)))
        if reader.takesPieces {
            try Cutting(reader, given, wanted, whole: lines).verify(bytes, at: 0...bytes.count, &check)
        }
    }

    private func read(_ bytes: [UInt8], _ reader: DataReader, _ words: Block, line: Int) throws -> [String] {
        do {
            return try reader.read([bytes], words)
        } catch let error as TextError {
            throw RowError(line, "\(error)")
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

    /// `# => …` is a case of the sign itself.
    private static func isComment(_ line: String) -> Bool { line.hasPrefix("# ") && !line.hasPrefix("# => ") }

    private static func parts(of line: String) -> (given: String, wanted: String?) {
        // Nothing is wanted where editors cut the blank at the end of a line.
        if line.hasSuffix(" =>") { return (String(line.dropLast(3)), "") }
        let parts = line.split(separator: " => ", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }

    /// The bytes in the place of `$(given)`, and the places at which they are worth to be cut: what stands around them is the
    /// same in each case.
    private static func put(
        _ given: [UInt8], into around: Block?
    ) throws(RowError) -> (bytes: [UInt8], places: ClosedRange<Int>) {
        guard let around else { return (given, 0...given.count) }
        let bytes = try ByteText.bytes(around.text, line: around.line)
        guard let place = bytes.firstRange(of: Array("$(given)".utf8)) else {
            throw RowError(around.line, "a block \"around\" needs $(given) in the place of what each case gives")
        }
        let whole = bytes[..<place.lowerBound] + given + bytes[place.upperBound...]
        let end = min(whole.count, place.lowerBound + given.count + 4)
        return (Array(whole), max(0, place.lowerBound - 2)...end)
    }

    /// Without the lines that begin with words behind `without`, and of the others those that begin with words behind `only`.
    private static func shown(_ lines: [String], by block: Block) -> [String] {
        func begins(_ line: String, with words: String) -> Bool {
            words.split(separator: ",").contains { line == $0 || line.hasPrefix($0 + " ") }
        }
        return lines.filter { line in
            block.value(of: "without").map { !begins(line, with: $0) } ?? true
                && block.value(of: "only").map { begins(line, with: $0) } ?? true
        }
    }
}
