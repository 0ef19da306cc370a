internal import ProctorBase
internal import ProctorJournal

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Prints the lines of a timeline with colours and within the width of a terminal.
struct WatchScreen: Sendable {
    let output: Output
    let style: Style
    /// Characters of a line; nil: lines are not broken.
    let width: Int?

    /// The widths of the columns for times, connections and requests, as in ``WireTimeline``.
    private static let timeWidth = 14
    private static let laneWidth = 4
    private static let indentation = 25

    /// Prints the timeline's lines for one entry: its line, its details, and lines about missing entries.
    func print(_ lines: [String], of entry: JournalEntry) {
        for line in lines {
            let text = PrintableText.sanitize(line)
            let lane = text.dropFirst(Self.timeWidth).prefix(Self.laneWidth)
            guard let connection = entry.connection, lane.hasPrefix("c\(connection)") else {
                printWrapped(text, indented: Self.indentation) { style.faint($0) }
                continue
            }
            let head =
                style.faint(String(text.prefix(Self.timeWidth))) + style.lane(String(lane), connection)
            let rest = String(text.dropFirst(Self.timeWidth + Self.laneWidth))
            printWrapped(rest, head: head, headWidth: Self.timeWidth + Self.laneWidth, indented: Self.indentation) {
                paint($0, entry.event)
            }
        }
    }

    /// Prints a line about the stream itself.
    func printNotice(_ text: String, _ paint: (String) -> String) {
        printWrapped(PrintableText.sanitize(text), indented: 4, paint)
    }

    private func printWrapped(
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
        case .described(let note): note.faults.isEmpty ? style.odd(text) : style.bad(text)
        case .webhook(let note): note.fault == nil ? text : style.bad(text)
        case .effectPlayed, .cookiesJudged, .guarded: style.odd(text)
        case .frame(let frame): frame.ends ? style.odd(text) : style.faint(text)
        case .fieldBlock: style.faint(text)
        case .dns(let note): if case .violation = note.event { style.bad(text) } else { text }
        case .socks(let note): if case .violation = note.event { style.bad(text) } else { text }
        case .webSocket(let note): note.isFault ? style.bad(text) : text
        default: text
        }
    }
}

extension FrameNote {
    /// Whether the frame ends a stream or the connection early.
    fileprivate var ends: Bool {
        switch detail {
        case .code, .goAway, .close: true
        default: false
        }
    }
}

/// Breaks a line for the width of a terminal.
enum LineBreaking {
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
