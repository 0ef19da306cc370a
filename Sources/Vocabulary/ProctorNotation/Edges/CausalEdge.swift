import ProctorBase
package import ProctorEvents

/// An order between two lanes: one event comes only after another.
///
/// Written `wire request[1] after harness answer(follow)`; indexes count from 0, and `[0]` may be omitted.
package struct CausalEdge: Sendable, Equatable, CustomStringConvertible {
    package let later: End
    package let earlier: End
    package let text: String

    package struct End: Sendable, Equatable {
        package let lane: LaneID
        package let symbol: NotationSymbol
        /// The number of the event among those that match the symbol, from 1.
        package let count: Int
    }

    /// Parses `LANE EVENT after LANE EVENT`, each event with optional arguments and index.
    package init(parsing text: String) throws(NotationError) {
        var parser = CausalEdgeParser(text: text)
        later = try parser.parseEnd(before: "after")
        earlier = try parser.parseEnd(before: nil)
        self.text = text
    }

    package var description: String { text }
}

struct CausalEdgeParser {
    private let text: String
    private let bytes: [UInt8]
    private var offset = 0

    /// The largest index plus 1.
    private static let largestCount = 1_000_000

    init(text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// Parses one end, up to the given word, or up to the end of the text.
    mutating func parseEnd(before word: String?) throws(NotationError) -> CausalEdge.End {
        let lane = try lane()
        let symbol = try symbol(lane: lane.lane)
        let count = try count()
        skipSpace()
        if let word {
            let start = offset
            let given = self.word()
            guard given == word else {
                let rest = given.isEmpty ? "the end" : "'\(given)'"
                throw error(start, "expected '\(word)' between the two events, found \(rest)")
            }
        } else if offset < bytes.count {
            throw error(offset, "expected the end of the edge, found '\(self.word())'")
        }
        return CausalEdge.End(lane: lane, symbol: symbol, count: count)
    }

    private mutating func lane() throws(NotationError) -> LaneID {
        skipSpace()
        let start = offset
        let name = word()
        let plain = String(name.prefix { $0 != "[" })
        // A case also writes `download` for callbacks of a task.
        guard let lane = plain == "download" ? .task : Lane(rawValue: plain) else {
            let names = Lane.allCases.map(\.rawValue)
            let hint = NearestName.find(plain, in: names).map { "; did you mean '\($0)'?" } ?? ""
            let given = name.isEmpty ? "the end" : "'\(name)'"
            throw error(start, "expected a lane (\(names.joined(separator: " "))), found \(given)\(hint)")
        }
        guard name.count > plain.count else { return LaneID(lane, 0) }
        let place = start + plain.utf8.count
        guard lane != .wire, lane != .session else {
            throw error(
                place, "there is one lane '\(plain)', so it has no number; one of its events is \(plain) EVENT[N]")
        }
        guard let index = Self.index(name.dropFirst(plain.count), below: 1_000_000) else {
            throw error(place, "expected [N] with N from 0 to 999999, found '\(name.dropFirst(plain.count))'")
        }
        return LaneID(lane, index)
    }

    /// `[N]` in digits.
    private static func index(_ text: Substring, below limit: Int) -> Int? {
        let digits = text.dropFirst().dropLast()
        guard text.first == "[", text.last == "]", digits.utf8.allSatisfy(\.isASCIIDigit), let index = Int(digits),
            index < limit
        else { return nil }
        return index
    }

    private mutating func symbol(lane: Lane) throws(NotationError) -> NotationSymbol {
        skipSpace()
        let start = offset
        var depth = 0
        var isQuoted = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if isQuoted, byte == UInt8(ascii: "\\") {
                offset = min(offset + 2, bytes.count)
                continue
            }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if depth <= 0, Self.isBlank(byte) || byte == UInt8(ascii: "[") { break }
            }
            offset += 1
        }
        guard start < offset else { throw error(start, "expected an event of lane '\(lane.rawValue)', found the end") }
        let written = String(decoding: bytes[start..<offset], as: UTF8.self)
        let notation: Notation
        do throws(NotationError) {
            notation = try Notation(parsing: written, lane: lane)
        } catch let failure {
            throw error(start + failure.offset, failure.sentence)
        }
        guard notation.syntax.nodes.count == 1, let symbol = notation.syntax.symbols.first else {
            throw error(start, "expected one event, found the expression '\(written)'")
        }
        return symbol
    }

    /// Parses `[N]` directly after the event, which counts from 0; without it the first event is meant.
    private mutating func count() throws(NotationError) -> Int {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "[") else { return 1 }
        let start = offset
        let text = word()
        guard let index = Self.index(text[...], below: Self.largestCount) else {
            throw error(start, "expected [N] with N from 0 to \(Self.largestCount - 1), found '\(text)'")
        }
        return index + 1
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private mutating func skipSpace() {
        while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
    }

    private mutating func word() -> String {
        let start = offset
        while offset < bytes.count, !Self.isBlank(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func error(_ offset: Int, _ sentence: String) -> NotationError {
        NotationError(text: text, offset: offset, sentence: sentence)
    }
}
