internal import ProctorJournal

/// The journal's entries about HTTP/2 on one connection; the client may have sent no frame on it.
struct SeenHTTP2 {
    /// The index of the connection in the record.
    let place: Int
    /// Whether the client sent a frame, before which it sends its preface (RFC 9113 §3.4).
    private(set) var isSpokenByClient = false
    /// The entry of the client's first frame.
    private(set) var sequence: UInt64?
    /// The client's first SETTINGS; nil means that none arrived.
    private(set) var settings: [SettingNote]?
    private(set) var settingsCount = 0
    private(set) var acknowledgedSettingsCount = 0
    /// Whether the server sent SETTINGS, which a client acknowledges as soon as it reads them (RFC 9113 §6.5.3).
    private(set) var hasServerSettings = false
    private(set) var acknowledgedPingCount = 0
    private(set) var windowByteCount = 0
    /// The code of the client's first GOAWAY.
    private(set) var goAwayCode: String?
    private(set) var goAway = GoAwayWatch()
    /// The flow-control windows that the server gave the client.
    private(set) var windows = SentWindows()

    /// The streams that the client opened.
    private(set) var streams: Set<UInt32> = []
    /// The entry with which it opened the last one.
    private(set) var streamSequence: UInt64?

    init(at place: Int) { self.place = place }

    /// Records a frame of either side.
    mutating func record(_ frame: FrameNote, at sequence: UInt64, _ nanoseconds: UInt64) {
        let opensStream =
            frame.party == .client && frame.type == "HEADERS" && frame.stream != 0
            && streams.insert(frame.stream).inserted
        if opensStream { streamSequence = sequence }
        windows.record(frame, at: sequence, nanoseconds)
        goAway.record(frame, opensStream: opensStream)
        guard frame.party == .client else {
            if frame.type == "SETTINGS", !frame.flags.contains("ACK") { hasServerSettings = true }
            return
        }
        isSpokenByClient = true
        self.sequence = self.sequence ?? sequence
        let isAcknowledgement = frame.flags.contains("ACK")
        switch (frame.type, frame.detail) {
        case ("SETTINGS", _) where isAcknowledgement: acknowledgedSettingsCount += 1
        case ("SETTINGS", let detail):
            settingsCount += frame.count
            if case .settings(let settings) = detail { self.settings = self.settings ?? settings }
        case ("PING", _) where isAcknowledgement: acknowledgedPingCount += 1
        case ("WINDOW_UPDATE", .increment(let byteCount)) where frame.stream == 0: windowByteCount += Int(byteCount)
        case ("GOAWAY", .goAway(_, let code, _)): goAwayCode = goAwayCode ?? code
        default: break
        }
    }
}

/// Finds whether a client opens streams above the last stream of the server's GOAWAY (RFC 9113 §6.8).
///
/// A stream is no fault when its HEADERS may have been sent before the GOAWAY arrived. The client has certainly read a
/// GOAWAY when it acknowledges SETTINGS or PING that the server sent after it: both are answered in the order in which
/// they arrive.
struct GoAwayWatch {
    /// The lowest last stream of the server's GOAWAYs; nil when there is none.
    private var lastStream: UInt32?
    /// The lowest last stream that the client has certainly read.
    private var readLastStream: UInt32?
    private var openedMore = false
    /// For each SETTINGS without an acknowledgement, in order: the last stream of the GOAWAYs before it.
    private var settings: [UInt32?] = []
    /// The PINGs without an acknowledgement.
    private var pings: [(opaque: [UInt8], lastStream: UInt32?)] = []

    /// The most frames whose acknowledgements are awaited; further ones are ignored.
    private static let awaitedLimit = 1_000

    /// Whether the client opened no stream above those that it certainly had read of; nil without a GOAWAY.
    var isHeeded: Bool? { lastStream == nil ? nil : !openedMore }

    mutating func record(_ frame: FrameNote, opensStream: Bool) {
        if frame.party == .server { send(frame) } else { receive(frame, opensStream: opensStream) }
    }

    private mutating func send(_ frame: FrameNote) {
        let isAcknowledgement = frame.flags.contains("ACK")
        switch (frame.type, frame.detail) {
        case ("GOAWAY", .goAway(let last, _, _)): lastStream = min(lastStream ?? last, last)
        case ("SETTINGS", _) where !isAcknowledgement && settings.count < Self.awaitedLimit:
            settings.append(lastStream)
        case ("PING", .opaque(let bytes)) where !isAcknowledgement && pings.count < Self.awaitedLimit:
            pings.append((bytes, lastStream))
        default: break
        }
    }

    private mutating func receive(_ frame: FrameNote, opensStream: Bool) {
        if opensStream, let readLastStream, frame.stream > readLastStream { openedMore = true }
        guard frame.flags.contains("ACK") else { return }
        switch (frame.type, frame.detail) {
        case ("SETTINGS", _) where !settings.isEmpty: read(settings.removeFirst())
        case ("PING", .opaque(let bytes)):
            guard let index = pings.firstIndex(where: { $0.opaque == bytes }) else { return }
            read(pings.remove(at: index).lastStream)
        default: break
        }
    }

    private mutating func read(_ last: UInt32?) {
        guard let last else { return }
        readLastStream = min(readLastStream ?? last, last)
    }
}
