import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// The facts `connection[N].…`, of the connection of that index in the record.
enum ConnectionFacts {
    typealias Row = GatheredFact<Int>

    static let rows: [Row] = [
        Row(
            row("requests", "the number of requests on $", .number, over: .unsharedConnections),
            inRecord: { Measurement($1.connections[$0].requests.count) }),
        // The end of the run closes connections that neither side has closed.
        Row(
            row("closedBy", "the side that ended $", over: .connectionEnd),
            inRecord: { index, record in
                guard let end = record.connections[index].end, end.how != .stopped else { return .absent }
                return Measurement(end.by.rawValue)
            }),
        Row(
            row(
                "end", "how $ ends",
                .word(FactWords("end", of: "a connection", JournalEvent.Ending.allCases.map(\.rawValue))),
                over: .connectionEnd),
            inRecord: { Measurement($1.connections[$0].end?.how.rawValue) }),
        Row(
            row("origin", "the origin to which $ came", .word(.origins)),
            inRecord: { Measurement($1.connections[$0].origin) }),
        // Absent when neither side sent anything that shows it.
        Row(
            row(
                "protocol", "the protocol of $",
                .word(FactWords("protocol", of: "a connection", ApplicationProtocol.allCases.map(\.rawValue))),
                over: .speech),
            inRecord: { index, record in
                let connection = record.connections[index]
                if connection.speaksHTTP2 { return Measurement(ApplicationProtocol.h2.rawValue) }
                if connection.requests.contains(where: { record.exchanges[$0].head.version == .http3 }) {
                    return Measurement(ApplicationProtocol.h3.rawValue)
                }
                return connection.requests.isEmpty ? .absent : Measurement(ApplicationProtocol.http11.rawValue)
            }),
        Row(
            row("streams", "the number of streams on $", .number, over: .speech),
            inRecord: { Measurement($1.frameEvidence?.streamCount(on: $0) ?? 0) }),
    ]

    private static func row(
        _ name: String, _ words: String, _ values: FactValues = .text, over scope: FactScope = .allVersions
    ) -> FactRow { FactRow(name, words, values, over: scope, shownBy: .requests, subject: .connections) }
}
