internal import ProctorBase
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorScenario

/// The connections on which clients spoke HTTP/2: the facts `h2[N].…`, in order.
struct SeenHTTP2Connections: FactGatherer {
    private var connections: [SeenHTTP2] = []
    /// Indexes, by that of the connection in the record.
    private var indexes: [Int: Int] = [:]

    var all: [SeenHTTP2] { connections.filter(\.isSpokenByClient).sorted { $0.place < $1.place } }

    static let group = FactGroup.http2

    static let words = GatheredWords(
        owner: "HTTP/2 connection $", counted: "connection", "spoke HTTP/2",
        never: "connection $ of HTTP/2 never came", wrong: "on $ the client broke a rule")

    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        guard case .frame(let frame) = entry.event, !frame.isOfHTTP3, let connection else { return }
        let index = indexes[connection] ?? connections.count
        if index == connections.count {
            indexes[connection] = index
            connections.append(SeenHTTP2(at: connection))
        }
        connections[index].record(frame, at: entry.sequence, entry.nanoseconds)
    }

    func sequence(of connection: SeenHTTP2, in record: WireRecord) -> UInt64? { connection.sequence }

    /// The entry with which the last stream was opened; of the connections there is none.
    func sequenceOfRun(_ fact: String, in record: WireRecord) -> UInt64? {
        fact == "streams" ? connections.compactMap(\.streamSequence).max() : nil
    }

    func faults(of connection: SeenHTTP2, in record: WireRecord) -> [ListedFault] {
        record.frameViolations(on: connection.place).map { ListedFault($0) }
    }

    func connection(of connection: SeenHTTP2) -> Int? { connection.place }
}

extension SeenHTTP2Connections: FrameEvidence {
    func streamCount(on connection: Int) -> Int { self[connection]?.streams.count ?? 0 }

    func leavesSettingsUnread(on connection: Int) -> Bool {
        guard let seen = self[connection] else { return false }
        return seen.hasServerSettings && seen.acknowledgedSettingsCount == 0 && seen.goAwayCode == nil
    }

    func window(ofStream stream: UInt32, on connection: Int, before sequence: UInt64) -> SendingWindow? {
        self[connection]?.windows[stream, before: sequence]
    }

    private subscript(connection: Int) -> SeenHTTP2? { indexes[connection].map { connections[$0] } }
}

extension SeenHTTP2Connections {
    static let facts: [GatheredFact<SeenHTTP2>] =
        settings + [
            GatheredFact(
                "settings.acknowledged", "the number of the server's SETTINGS that the client acknowledged on $",
                .number
            ) { Measurement($0.acknowledgedSettingsCount) },
            // Without acknowledgements.
            GatheredFact("settings.sent", "the number of the client's SETTINGS on $", .number) {
                Measurement($0.settingsCount)
            },
            GatheredFact(
                "pings.acknowledged", "the number of the server's PINGs that the client acknowledged on $", .number
            ) { Measurement($0.acknowledgedPingCount) },
            // The sum of the increments in WINDOW_UPDATE frames for stream 0.
            GatheredFact("window", "the bytes by which the client widened the window of $", .number) {
                Measurement($0.windowByteCount)
            },
            // The name of the error code in the client's first GOAWAY.
            GatheredFact("goaway", "the code of the client's GOAWAY on $", .word(.errorCodes)) {
                Measurement($0.goAwayCode)
            },
            // Above the last one of a GOAWAY that the client had certainly read.
            GatheredFact(
                "goaway.heeded", "whether the client opened no stream after the server's GOAWAY on $", .flag
            ) { $0.goAway.isHeeded.map { Measurement($0) } ?? .absent },
            // In order.
            GatheredFact(
                "violations", "the violations on $",
                .kinds(FactWords("violation", of: "a connection of HTTP/2", FrameViolationNote.kinds)),
                inRecord: { connection, record in
                    let kinds = record.frameViolations(on: connection.place).map(\.kind)
                    return kinds.isEmpty ? .absent : Measurement(ofList: kinds)
                }),
        ]

    /// The parameters in the client's first SETTINGS frame.
    ///
    /// When one occurs several times, the last value applies (RFC 9113 §6.5.3).
    private static let settings: [GatheredFact<SeenHTTP2>] = [
        "header-table-size", "enable-push", "max-concurrent-streams", "initial-window-size", "max-frame-size",
        "max-header-list-size", "enable-connect-protocol", "no-rfc7540-priorities",
    ].map { name in
        let setting = SettingNote.name(ofFact: name)
        return GatheredFact("settings.\(name)", "\(setting) in the client's first SETTINGS on $", .number) { seen in
            Measurement(seen.settings?.last { $0.name == setting }.map { Int($0.value) })
        }
    }

    static let factsOfRun: [GatheredFact<SeenHTTP2Connections>] = [
        GatheredFact("connections", "the number of connections that speak HTTP/2", .number) {
            Measurement($0.all.count)
        },
        // Those without a request too.
        GatheredFact("streams", "the number of streams", .number) {
            Measurement($0.connections.reduce(0) { $0 + $1.streams.count })
        },
    ]
}

extension SettingNote {
    /// As the journal spells the parameter of a fact: `ENABLE_PUSH`.
    static func name(ofFact name: String) -> String { name.uppercased().replacing(text: "-", with: "_") }
}
