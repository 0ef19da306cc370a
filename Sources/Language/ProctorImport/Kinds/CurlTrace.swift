import ProctorBase

/// What curl writes with --trace (bytes in hexadecimal) and --trace-ascii (bytes that are no text as dots).
struct CurlTrace {
    let file: String
    /// What one side sent until the other one did.
    private(set) var turns: [Turn] = []
    private(set) var remarks = ImportRemarks()

    struct Turn {
        let isSent: Bool
        let line: Int
        var bytes: [UInt8]
    }

    /// A piece of a direction, whose lines give bytes.
    private struct Piece {
        let isSent: Bool
        let isHeader: Bool
        let line: Int
        let byteCount: Int
        var bytes: [UInt8] = []
        var lastEnd = 0
    }

    static func isTrace(_ bytes: [UInt8]) -> Bool {
        for line in bytes.split(separator: 0x0A, maxSplits: 40).prefix(40) where event(line) != nil { return true }
        return false
    }

    private enum Event {
        case piece(isSent: Bool, isHeader: Bool, byteCount: Int)
        case other
    }

    /// What a line says behind a time and ids that may stand before it; nil for lines of bytes.
    private static func event(_ line: ArraySlice<UInt8>) -> Event? {
        let text = line.prefix(120)
        if let range = text.firstRange(ofBytes: "== Info".utf8), isPrefix(text[..<range.lowerBound]) { return .other }
        for (mark, isSent) in [("=> Send ", true), ("<= Recv ", false)] {
            guard let range = text.firstRange(ofBytes: mark.utf8), isPrefix(text[..<range.lowerBound]) else { continue }
            let rest = text[range.upperBound...]
            guard rest.starts(with: "header".utf8) || rest.starts(with: "data".utf8),
                let comma = rest.firstRange(ofBytes: ", ".utf8),
                let count = rest[comma.upperBound...].prefix(while: \.isASCIIDigit).wholeNumber
            else { return .other }
            return .piece(isSent: isSent, isHeader: rest.starts(with: "header".utf8), byteCount: count)
        }
        return nil
    }

    /// A time and ids: `10:15:02.123456 [0-0] `.
    private static func isPrefix(_ text: ArraySlice<UInt8>) -> Bool {
        text.allSatisfy { $0.isASCIIDigit || " :.[]-x".utf8.contains($0) }
    }

    init(_ bytes: [UInt8], file: String) throws(ImportFailure) {
        self.file = file
        var piece: Piece?
        var number = 0
        var hasText = false
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = line.last == 0x0D ? line.dropLast() : line
            if let event = Self.event(line) {
                try finishPiece(&piece)
                if case .piece(let isSent, let isHeader, let count) = event {
                    piece = Piece(isSent: isSent, isHeader: isHeader, line: number, byteCount: count)
                }
            } else if piece != nil, !line.isEmpty {
                hasText = try Self.add(line, number, to: &piece, file: file) || hasText
            }
        }
        try finishPiece(&piece)
        if hasText {
            remarks.add(at: file, "--trace-ascii shows bytes that are no text as dots; 'curl --trace' keeps them")
        }
    }

    /// Adds the bytes of a line; true for a line of --trace-ascii.
    private static func add(
        _ line: ArraySlice<UInt8>, _ number: Int, to piece: inout Piece?, file: String
    ) throws(ImportFailure) -> Bool {
        let digits = line.prefix { $0.hexadecimalValue != nil }
        let rest = line[digits.endIndex...]
        guard (4...8).contains(digits.count), rest.starts(with: ": ".utf8) else {
            throw ImportFailure(
                at: "\(file):\(number)",
                "expected bytes behind an offset, like \"0000: 47 45 54\", found "
                    + ByteShow.quote(line))
        }
        let offset = digits.reduce(0) { $0 << 4 | Int($1.hexadecimalValue ?? 0) }
        let body = rest.dropFirst(2)
        // Sixteen pairs and their blanks take 48 columns, then come the characters.
        let hexadecimal = body.prefix(48)
        if let bytes = pairs(hexadecimal), body.count >= 49 || bytes.count > 0 && body.count > hexadecimal.count {
            piece?.bytes += bytes
            return false
        }
        guard var current = piece else { return true }
        // A line end stands where the offsets leave room for it.
        guard offset >= current.bytes.count, offset - current.bytes.count <= 2 else {
            throw ImportFailure(
                at: "\(file):\(number)",
                "the offset is \(offset) behind \(current.bytes.count) bytes; lines are missing")
        }
        if offset - current.bytes.count == 2 { current.bytes += [0x0D, 0x0A] }
        if offset - current.bytes.count == 1 { current.bytes += [0x0A] }
        current.bytes += body
        piece = current
        return true
    }

    /// The bytes of pairs of digits with blanks between them; nil for anything else.
    private static func pairs(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index + 1 < text.endIndex {
            if text[index] == 0x20 {
                return text[index...].allSatisfy { $0 == 0x20 } ? bytes : nil
            }
            guard let high = text[index].hexadecimalValue, let low = text[index + 1].hexadecimalValue,
                index + 2 >= text.endIndex || text[index + 2] == 0x20
            else { return nil }
            bytes.append(high << 4 | low)
            index += 3
        }
        return bytes
    }

    private mutating func finishPiece(_ piece: inout Piece?) throws(ImportFailure) {
        guard var ended = piece else { return }
        piece = nil
        if ended.bytes.count + 2 == ended.byteCount, ended.isHeader || !ended.bytes.isEmpty {
            ended.bytes += [0x0D, 0x0A]
        }
        guard ended.bytes.count == ended.byteCount else {
            throw ImportFailure(
                at: "\(file):\(ended.line)",
                "\(ended.byteCount) bytes are announced, and \(ended.bytes.count) follow; the trace is cut off or changed"
            )
        }
        if turns.last?.isSent == ended.isSent {
            turns[turns.count - 1].bytes += ended.bytes
        } else {
            turns.append(Turn(isSent: ended.isSent, line: ended.line, bytes: ended.bytes))
        }
    }
}

/// Bytes of a source in a message.
enum ByteShow {
    static func quote(_ bytes: some Collection<UInt8>) -> String { "\"\(EscapedText.escape(bytes, limit: 60))\"" }
}

extension Sequence<UInt8> {
    /// The number that digits say; nil for none and for more than fits.
    var wholeNumber: Int? { Int(String(decoding: Array(self), as: UTF8.self)) }
}
