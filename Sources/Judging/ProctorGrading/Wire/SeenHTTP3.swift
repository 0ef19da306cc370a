import ProctorEvents
import ProctorJournal
import ProctorScenario

/// The journal's entries about HTTP/3 on one connection; empty for a connection of another protocol.
struct SeenHTTP3 {
    /// Whether the client opened a stream or sent a frame.
    private(set) var isSpokenByClient = false
    /// The entry of that.
    private(set) var sequence: UInt64?
    private var settings: [SettingNote]?
    private var settingsCount = 0
    private var streams: [String] = []
    private var resets: [String] = []
    private var stops: [String] = []
    private var goAway: Int?
    private var maxPushID: Int?
    private var close: (code: String, isOfTransport: Bool)?

    /// Records a frame of either side.
    mutating func record(_ frame: FrameNote, at sequence: UInt64) {
        guard frame.party == .client else { return }
        switch (frame.type, frame.detail) {
        // The handshake may fail before any stream.
        case (_, .close(let code, let isOfTransport, _)): close = close ?? (code, isOfTransport)
        case ("RESET_STREAM", .code(let code)): resets.append(code)
        case ("STOP_SENDING", .code(let code)): stops.append(code)
        case (_, .streamType(let type)): streams.append(type)
        case ("SETTINGS", let detail):
            settingsCount += 1
            if case .settings(let settings) = detail { self.settings = self.settings ?? settings }
        case ("GOAWAY", .id(let id)): goAway = goAway ?? Int(clamping: id)
        case ("MAX_PUSH_ID", .id(let id)): maxPushID = max(maxPushID ?? 0, Int(clamping: id))
        default: break
        }
        guard frame.type != "CONNECTION_CLOSE" else { return }
        isSpokenByClient = true
        self.sequence = self.sequence ?? sequence
    }

    /// `violations` are the kinds of all departures on the connection.
    func measure(_ fact: FactName.HTTP3Fact, violations: [String]) -> Measurement {
        switch fact {
        case .maxTableCapacity, .blockedStreams, .maxFieldSectionSize, .enableConnectProtocol, .datagram:
            Measurement(settings?.last { $0.name == fact.setting }.map { Int(clamping: $0.value) })
        case .settingsSent: Measurement(settingsCount)
        case .streams: list(streams)
        case .resets: list(resets)
        case .stops: list(stops)
        case .goaway: Measurement(goAway)
        case .maxPushID: Measurement(maxPushID)
        case .close: Measurement(close?.code)
        case .closeLayer: Measurement(close.map { $0.isOfTransport ? "transport" : "http3" })
        case .violations: list(violations)
        }
    }

    private func list(_ words: [String]) -> Measurement { words.isEmpty ? .absent : Measurement(ofList: words) }
}
