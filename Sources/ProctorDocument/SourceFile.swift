package import ProctorBase

/// Where a text stands in a file that holds more than it, such as the source of a test.
package struct TextPlace: Sendable {
    /// Of the first byte of the text, from 1.
    package var line = 1
    /// Of the first byte of the text, from 1.
    package var column = 1
    /// The bytes of indentation that every further line lost.
    package var indentation = 0

    package static let wholeFile = TextPlace()

    package init(line: Int = 1, column: Int = 1, indentation: Int = 0) {
        self.line = line
        self.column = column
        self.indentation = indentation
    }
}

/// The bytes of a parsed file; nodes hold offsets into them.
package final class SourceFile: Sendable {
    /// As the user named it.
    package let path: String
    /// Without a byte order mark.
    package let bytes: [UInt8]
    /// A byte order mark was removed, so columns of the first line are three bytes further right.
    let hadByteOrderMark: Bool
    /// Offset of the first byte of each line.
    private let lineStarts: [Int]
    /// By line: whether it has other bytes than ASCII; libyaml counts columns in characters.
    private let isWide: [Bool]
    /// Where the text stands in the file, when it is a part of one.
    private let place: TextPlace

    init(path: String, bytes: [UInt8], place: TextPlace = .wholeFile) {
        self.path = path
        self.place = place
        hadByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        self.bytes = hadByteOrderMark ? Array(bytes.dropFirst(3)) : bytes
        (lineStarts, isWide) = Self.lines(of: self.bytes)
    }

    /// The place of values that a program made; it has no text.
    package convenience init(madeAt location: SourceLocation) {
        self.init(
            path: location.file, bytes: [], place: TextPlace(line: location.line, column: location.column))
    }

    /// A place as libyaml counts, with what it is in bytes.
    struct CharacterPlace {
        var line = 0
        var character = 0
        var offset = 0
    }

    /// Converts a place of libyaml: both numbers from 0, the column in characters.
    ///
    /// `former` is another place, which costs least where it is the last one before on the same line.
    func place(line: Int, character: Int, from former: CharacterPlace) -> CharacterPlace {
        var place = CharacterPlace(line: line, character: character, offset: bytes.count)
        guard line >= 0, line < lineStarts.count else { return place }
        let start = lineStarts[line]
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
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let mark = low == 0 && hadByteOrderMark ? 3 : 0
        let shift = low == 0 ? place.column - 1 : place.indentation
        return SourceLocation(
            file: path, line: low + place.line, column: offset - lineStarts[low] + 1 + mark + shift)
    }

    /// The lines before the first value that begin with `%`.
    var directiveCount: Int {
        var count = 0
        for start in lineStarts where start < bytes.count {
            switch bytes[start] {
            case 0x25: count += 1
            // Blank lines and comments.
            case 0x09, 0x0A, 0x0D, 0x20, 0x23: continue
            default: return count
            }
        }
        return count
    }

    /// `line` counts from 0; without its line break.
    func range(ofLine line: Int) -> Range<Int> {
        guard line >= 0, line < lineStarts.count else { return bytes.count..<bytes.count }
        let start = lineStarts[line]
        var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// The breaks of libyaml: CR LF, CR, LF, NEL, LS and PS.
    private static func lines(of bytes: [UInt8]) -> (starts: [Int], isWide: [Bool]) {
        var starts = [0]
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
            starts.append(index)
            isWide.append(seen >= 0x80)
            seen = 0
        }
        isWide.append(seen >= 0x80)
        return (starts, isWide)
    }
}
