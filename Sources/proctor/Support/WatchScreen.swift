internal import ProctorBase
internal import ProctorJournal

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Writes the lines of a timeline for a person, in colours and within the width of a terminal.
struct WatchScreen: Sendable {
    let output: Output
    let style: Style
    /// Characters in a line; nil: lines are not broken.
    let width: Int?

    /// The columns of times, connections and requests, as ``WireTimeline`` has them.
    private static let timeWidth = 14
    private static let laneWidth = 4
    private static let indentation = 25

    /// Prints what a timeline says of one entry: its line, those of details, and those about missing entries.
    func print(_ lines: [String], of entry: JournalEntry) {
        for line in lines {
            let text = PrintableText.of(line)
            let lane = text.dropFirst(Self.timeWidth).prefix(Self.laneWidth)
            guard let connection = entry.connection, lane.hasPrefix("c\(connection)") else {
                put(text, indented: Self.indentation) { style.faint($0) }
                continue
            }
            let head =
                style.faint(String(text.prefix(Self.timeWidth))) + style.lane(String(lane), connection)
            let rest = String(text.dropFirst(Self.timeWidth + Self.laneWidth))
            put(rest, head: head, headWidth: Self.timeWidth + Self.laneWidth, indented: Self.indentation) {
                paint($0, entry.event)
            }
        }
    }

    /// Prints a line about the stream itself.
    func tell(_ text: String, _ paint: (String) -> String) {
        put(PrintableText.of(text), indented: 4, paint)
    }

    private func put(
        _ text: String, head: String = "", headWidth: Int = 0, indented indentation: Int, _ paint: (String) -> String
    ) {
        let pieces = LineBreaking.pieces(of: text, width: width, first: headWidth, rest: indentation)
        for (index, piece) in pieces.enumerated() {
            let before = index == 0 ? head : String(repeating: " ", count: indentation)
            output.line(before + paint(piece))
        }
    }

    private func paint(_ text: String, _ event: JournalEvent) -> String {
        switch event {
        case .violation, .frameViolation, .missed, .handshakeFailed, .replyAborted, .replyFailed, .boundReached,
            .turnedAway, .stateRefused, .loopHeld:
            style.bad(text)
        case .replySent(let status, _): (status ?? 200) < 400 ? style.good(text) : style.odd(text)
        case .effectPlayed, .cookiesJudged, .guarded: style.odd(text)
        case .frame(let frame): frame.ends ? style.odd(text) : style.faint(text)
        case .fieldBlock: style.faint(text)
        default: text
        }
    }
}

extension FrameNote {
    /// Whether the frame ends a stream or the connection before its time.
    fileprivate var ends: Bool {
        switch detail {
        case .code, .goAway: true
        default: false
        }
    }
}

/// Breaks a line for a terminal of some width.
enum LineBreaking {
    /// The smallest part of a line that text gets.
    private static let least = 20

    /// The pieces of a line whose first one stands behind `first` characters, and the others behind `rest`.
    ///
    /// Breaks at a blank where there is one in the second half of a piece; without `width` nothing is broken.
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

    /// Columns; 80 where the terminal does not say.
    static var ofStandardOutput: Int {
        var size = winsize()
        let isKnown = unsafe ioctl(STDOUT_FILENO, request, &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }
}
