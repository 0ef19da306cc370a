#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Breaks a line for the width of a terminal.
enum LineBreaking {
    /// The lines of a text, at least one, of at most `width` columns unless a word is longer.
    static func wrapped(_ text: String, indentation: Int, width: Int = 80) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = margin
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if line.count + word.count + 1 > width, line != margin {
                lines.append(line)
                line = margin
            }
            line += (line == margin ? "" : " ") + word
        }
        lines.append(line)
        return lines
    }

    /// The fewest characters of a line for text.
    private static let least = 20

    /// The parts of a line; the first part follows `first` characters, and the others follow `rest` characters.
    ///
    /// Breaks at a space when the second half of a part has one; without `width` nothing is broken.
    static func pieces(of text: String, width: Int?, first: Int, rest: Int) -> [String] {
        guard let width else { return [text] }
        var pieces: [String] = []
        var characters = Array(text)[...]
        while true {
            let room = max(least, width - (pieces.isEmpty ? first : rest))
            guard characters.count > room else { return pieces + [String(characters)] }
            let piece = characters.prefix(room)
            let blank = piece.lastIndex(of: " ").flatMap { $0 - piece.startIndex >= room / 2 ? $0 : nil }
            pieces.append(String(characters[..<(blank ?? piece.endIndex)]))
            characters = characters[(blank.map { $0 + 1 } ?? piece.endIndex)...]
        }
    }
}

enum TerminalWidth {
    #if canImport(Darwin)
        /// Darwin's TIOCGWINSZ, `_IOR('t', 104, struct winsize)`: a macro that Swift can't import.
        private static let request: UInt = 0x4008_7468
    #else
        private static let request = UInt(TIOCGWINSZ)
    #endif

    static var ofStandardOutput: Int { columns(of: STDOUT_FILENO) }

    /// The columns of the terminal; 80 when the terminal does not report them.
    static func columns(of descriptor: CInt) -> Int {
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, request, &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }
}
