internal import ProctorBase
internal import ProctorJournal

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
