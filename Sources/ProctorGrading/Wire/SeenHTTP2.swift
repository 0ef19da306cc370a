import ProctorJournal
import ProctorScenario

/// What the journal knows of HTTP/2 on one connection; everything is empty on a connection of HTTP/1.1.
struct SeenHTTP2 {
    /// Whether either side sent a frame.
    private(set) var isSpoken = false
    /// Whether the client did, which its preface precedes (RFC 9113 §3.4).
    private(set) var isSpokenByClient = false
    /// The entry of the client's first frame.
    private(set) var sequence: UInt64?
    /// The client's first SETTINGS; nil means that none came.
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
    /// What the server's windows let the client send.
    private(set) var windows = SentWindows()

    /// A frame of either side on the connection; `opensStream` means that the client opened its stream with it.
    mutating func take(_ frame: FrameNote, at sequence: UInt64, _ nanoseconds: UInt64, opensStream: Bool) {
        isSpoken = true
        windows.take(frame, at: sequence, nanoseconds)
        goAway.take(frame, opensStream: opensStream)
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

    /// `violations` are the kinds of all departures on the connection.
    func measure(_ fact: FactName.HTTP2Fact, violations: [String]) -> Measurement {
        switch fact {
        case .headerTableSize, .enablePush, .maxConcurrentStreams, .initialWindowSize, .maxFrameSize,
            .maxHeaderListSize, .enableConnectProtocol, .noRFC7540Priorities:
            // The last value of a parameter holds (RFC 9113 §6.5.3).
            settings?.last { $0.name == fact.setting }.map { Measurement(Int($0.value)) } ?? .absent
        case .settingsAcknowledged: Measurement(acknowledgedSettingsCount)
        case .settingsSent: Measurement(settingsCount)
        case .pingsAcknowledged: Measurement(acknowledgedPingCount)
        case .window: Measurement(windowByteCount)
        case .goaway: goAwayCode.map { Measurement($0) } ?? .absent
        case .goawayHeeded: goAway.isHeeded.map { Measurement($0 ? "true" : "false") } ?? .absent
        case .violations: violations.isEmpty ? .absent : .list(violations.map { Array($0.utf8) })
        }
    }
}

/// Follows whether a client opens streams that the server's GOAWAY has excluded (RFC 9113 §6.8).
///
/// A stream that was under way while the GOAWAY was is no fault. The client has certainly read a GOAWAY when it
/// acknowledges SETTINGS or PING that the server sent behind it: both are answered in the order in which they come.
struct GoAwayWatch {
    /// The lowest last stream of the server's GOAWAYs; nil while there is none.
    private var lastStream: UInt32?
    /// The lowest last stream that the client has certainly read.
    private var readLastStream: UInt32?
    private var openedMore = false
    /// SETTINGS that await their acknowledgement, in order, each with the last stream that was said before.
    private var settings: [UInt32?] = []
    /// PINGs that await theirs.
    private var pings: [(opaque: [UInt8], lastStream: UInt32?)] = []

    /// More that await an acknowledgement prove nothing.
    private static let awaitedLimit = 1_000

    /// Whether the client heeded all that it had certainly read; nil without a GOAWAY of the server.
    var isHeeded: Bool? { lastStream == nil ? nil : !openedMore }

    mutating func take(_ frame: FrameNote, opensStream: Bool) {
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
