internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal

/// Tells in the journal of a flood by counts: of frames that come one after the other and are alike, the first
/// ``ownEntryCount`` have entries of their own, and up to ``sharedEntryCount`` of the others one.
///
/// Frames are alike that have one type, flags and stream; those of the other side may stand between them. What is counted
/// is told before anything else of the connection, and at the end of the turn of the loop in which it came.
struct RepeatedFrames {
    private var client = Run()
    private var server = Run()

    static let ownEntryCount = 16
    static let sharedEntryCount = 1_000

    fileprivate struct Run {
        var key: Key?
        var count = 0
        /// Counts those that have no entry yet.
        var note: FrameNote?
    }

    fileprivate struct Key: Equatable {
        let type: FrameType
        let flags: FrameFlags
        let stream: UInt32
    }

    /// Whether there is something to tell.
    private(set) var isEmpty = true

    /// Whether the frame is counted, and so gets no entry now.
    mutating func count(_ read: ReadFrame, by party: JournalEvent.Party) -> Bool {
        let isCounted =
            switch party {
            case .client: client.count(read, by: party, Self.isAwaited(read, by: party))
            case .server: server.count(read, by: party, Self.isAwaited(read, by: party))
            }
        if isCounted { isEmpty = false }
        return isCounted
    }

    /// A frame of the server was sent that means something by itself.
    mutating func endRunOfServer() {
        server.key = nil
        server.count = 1
    }

    /// Whether each of them means something by itself: heads, content, ends, faults, and what is acknowledged.
    private static func isAwaited(_ read: ReadFrame, by party: JournalEvent.Party) -> Bool {
        let isAwaited =
            switch read.frame.type {
            case .settings, .ping: read.frame.isAck == (party == .client)
            case .data, .headers, .resetStream, .pushPromise, .goAway, .continuation: true
            default: false
            }
        return isAwaited || read.content == nil || !read.violations.isEmpty
    }

    /// What was counted, that of the client first.
    mutating func takeAll() -> [FrameNote] {
        isEmpty = true
        return [client.note.take(), server.note.take()].compactMap(\.self)
    }
}

extension RepeatedFrames.Run {
    fileprivate mutating func count(_ read: ReadFrame, by party: JournalEvent.Party, _ isAwaited: Bool) -> Bool {
        let frame = read.frame
        let key = RepeatedFrames.Key(type: frame.type, flags: frame.flags, stream: frame.stream)
        guard !isAwaited, key == self.key else {
            self.key = isAwaited ? nil : key
            count = 1
            return false
        }
        guard count >= RepeatedFrames.ownEntryCount else {
            count += 1
            return false
        }
        guard var note else {
            self.note = FrameNote(read, by: party)
            return true
        }
        guard note.count < RepeatedFrames.sharedEntryCount else { return false }
        var detail = note.detail
        if case .increment(let sum) = detail, case .windowUpdate(let more)? = read.content {
            let (all, isMore) = sum.addingReportingOverflow(more)
            detail = .increment(isMore ? .max : all)
        }
        note.addFrame(detail)
        self.note = note
        return true
    }
}
