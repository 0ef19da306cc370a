package import ProctorBase

/// The place of a text that is part of a larger file, such as a literal in the source of a test.
package struct TextPlace: Sendable {
    /// The line of the text's first byte, from 1.
    package var line = 1
    /// The column of the text's first byte, from 1.
    package var column = 1
    /// How many bytes of indentation were removed from every further line.
    package var indentation = 0

    package static let wholeFile = TextPlace()

    package init(line: Int = 1, column: Int = 1, indentation: Int = 0) {
        (self.line, self.column, self.indentation) = (line, column, indentation)
    }
}

/// The bytes of a parsed file; nodes hold offsets into them.
package final class SourceFile: Sendable {
    /// The path as the user wrote it.
    package let path: String
    /// The bytes without a byte order mark.
    package let bytes: [UInt8]
    /// Whether a byte order mark was removed: columns of the first line are then three bytes greater.
    let hadByteOrderMark: Bool
    /// Offset of the first byte of each line; a text has less than 4 GiB.
    private let lineStarts: [UInt32]
    /// For each line, whether it has bytes other than ASCII; libyaml counts columns in characters.
    private let isWide: [Bool]
    /// The place of the text, if it is part of a larger file.
    private let place: TextPlace

    package init(path: String, bytes: [UInt8], place: TextPlace = .wholeFile) {
        (self.path, self.place) = (path, place)
        hadByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        self.bytes = hadByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
        (lineStarts, isWide) = Self.lines(of: self.bytes)
    }

    /// A source without text, for the place of values made by code.
    package convenience init(madeAt location: SourceLocation) {
        self.init(
            path: location.file, bytes: [], place: TextPlace(line: location.line, column: location.column))
    }

    /// A place as libyaml counts it, with its byte offset.
    struct CharacterPlace {
        var line = 0
        var character = 0
        var offset = 0
    }

    /// Converts a place of libyaml: line and column from 0, the column in characters.
    ///
    /// The search continues from `former` if that is an earlier place on the same line.
    func place(line: Int, character: Int, from former: CharacterPlace) -> CharacterPlace {
        var place = CharacterPlace(line: line, character: character, offset: bytes.count)
        guard line >= 0, line < lineStarts.count else { return place }
        let start = Int(lineStarts[line])
        if !isWide[line] {
            place.offset = min(start + character, bytes.count)
            return place
        }
        let isBehind = former.line == line && former.character <= character && former.offset >= start
        place.offset = isBehind ? former.offset : start
        var left = isBehind ? character - former.character : character
        while left > 0, place.offset < bytes.count {
            place.offset += 1
            while place.offset < bytes.count, bytes[place.offset] & 0xC0 == 0x80 { place.offset += 1 }
            left -= 1
        }
        return place
    }

    package func location(at offset: Int) -> SourceLocation {
        let offset = max(0, min(offset, bytes.count))
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
        }
        let mark = low == 0 && hadByteOrderMark ? 3 : 0
        let shift = low == 0 ? place.column - 1 : place.indentation
        return SourceLocation(
            file: path, line: low + place.line, column: offset - Int(lineStarts[low]) + 1 + mark + shift)
    }

    /// The lines before the first value that begin with `%`.
    var directiveCount: Int {
        var count = 0
        for start in lineStarts where start < bytes.count {
            switch bytes[Int(start)] {
            case 0x25: count += 1
            // Blank lines and comments.
            case 0x09, 0x0A, 0x0D, 0x20, 0x23: continue
            default: return count
            }
        }
        return count
    }

    /// The range of a line without its line break; `line` counts from 0.
    func range(ofLine line: Int) -> Range<Int> {
        guard line >= 0, line < lineStarts.count else { return bytes.count..<bytes.count }
        let start = Int(lineStarts[line])
        var end = line + 1 < lineStarts.count ? Int(lineStarts[line + 1]) : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// Splits at the line breaks of libyaml: CR LF, CR, LF, NEL, LS and PS.
    private static func lines(of bytes: [UInt8]) -> (starts: [UInt32], isWide: [Bool]) {
        var starts: [UInt32] = [0]
        var isWide: [Bool] = []
        starts.reserveCapacity(bytes.count / 32)
        isWide.reserveCapacity(bytes.count / 32)
        let span = bytes.span
        var index = 0
        var seen: UInt8 = 0
        while index < span.count {
            let byte = span[index]
            seen |= byte
            index += 1
            switch byte {
            case 0x0A: break
            case 0x0D: if index < span.count, span[index] == 0x0A { index += 1 }
            case 0xC2 where index < span.count && span[index] == 0x85: index += 1
            case 0xE2 where index + 1 < span.count && span[index] == 0x80 && span[index + 1] | 1 == 0xA9: index += 2
            default: continue
            }
            starts.append(UInt32(truncatingIfNeeded: index))
            isWide.append(seen >= 0x80)
            seen = 0
        }
        isWide.append(seen >= 0x80)
        return (starts, isWide)
    }
}
