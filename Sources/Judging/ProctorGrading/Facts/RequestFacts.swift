import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// The facts `wire[N].…`, of a request and its reply, in the order of messages and of the schema.
enum RequestFacts {
    typealias Row = GatheredFact<SeenExchange>

    static let rows = ofMessage + ofConnection + worded + ofReply + ofParts

    private static let ofMessage: [Row] = [
        Row(FactRow("method", "the method of $", shownBy: .requestLine)) { .text(Array($0.head.methodBytes)) },
        Row(FactRow("target", "the target of $", shownBy: .requestLine)) { .text($0.target) },
        Row(
            FactRow(
                "version", "the version of $", over: .http11("the fact is about the version of a request"),
                shownBy: .requestLine)
        ) { Measurement($0.head.version.text) },
        Row(FactRow("body", "the content of $", shownBy: .content)) { $0.decodedContent { .text($0) } },
        Row(
            FactRow(
                "body.length", "the length of the content of $ in bytes", .number, fields: framingFields,
                shownBy: .content)
        ) { $0.contentByteCount },
        Row(FactRow("body.coded", "the content of $ as it came", shownBy: .content)) {
            $0.wholeContent { .text($0.kept) }
        },
        Row(
            FactRow(
                "connection", "the number of the connection of $", .number, over: .unsharedConnections,
                subject: .connections)
        ) { Measurement($0.connection) },
        Row(FactRow("origin", "the origin of $", .word(.origins))) { Measurement($0.origin) },
        Row(
            FactRow(
                "violations", "the violations of $", .kinds(FactWords("violation", kinds)),
                over: .http11Values("the fact is about violations of HTTP/1.1"))
        ) {
            let kinds = $0.violations.map(\.kind.rawValue) + $0.frameViolations.map(\.kind)
            return kinds.isEmpty ? .absent : Measurement(ofList: kinds)
        },
        Row(
            FactRow(
                "fields", "the field names of $", .list,
                over: .http11("the fact is about field names as they came, which HTTP/2 has in lower case"))
        ) { .list($0.head.fields.map { Array($0.name) }) },
        // Between the end of the previous request's head and this one's.
        Row(
            FactRow("gap", "the milliseconds from the request before to $", .number),
            inRecord: { exchange, record in
                guard exchange.number > 0 else { return .absent }
                let before = record.exchanges[exchange.number - 1].nanoseconds
                let nanoseconds = exchange.nanoseconds.subtractingReportingOverflow(before)
                return .number(nanoseconds.overflow ? 0 : Double(nanoseconds.partialValue) / 1e6)
            }),
        // Absent where that reply said nothing (RFC 9110 §10.2.3).
        Row(
            FactRow("waited", "whether $ came no sooner than Retry-After of the reply before it said", .flag),
            inRecord: { exchange, record in
                guard exchange.number > 0 else { return .absent }
                let before = record.exchanges[exchange.number - 1]
                return before.hasWaited(until: exchange.nanoseconds).map { Measurement($0) } ?? .absent
            }),
        Row(
            FactRow(
                "framing", "the framing of $",
                .word(FactWords("framing", of: "a request", ["none", "length", "chunked"])),
                over: .framing, fields: framingFields, shownBy: .lines(framingFields))
        ) { $0.framing },
        // The byte counts in order, without the last chunk.
        Row(
            FactRow(
                "chunks", "the lengths of the chunks of $", .list, over: .framing, fields: framingFields,
                shownBy: .content)
        ) { $0.chunkSizes },
        Row(FactRow("parts", "the number of parts of $", .number, fields: ["Content-Type"], shownBy: .content)) {
            $0.ofParts { Measurement($0.count) }
        },
        // After the first guard that does not admit the request, no further guard judges it.
        Row(
            FactRow(
                "auth", "the guard's verdict on $",
                .word(FactWords("outcome", of: "a guard", GuardVerdict.Outcome.allCases.map(\.rawValue))),
                fields: GuardFacts.fields, shownBy: .lines(["Authorization"])), because: notGuarded
        ) { Measurement($0.verdicts.last?.outcome.rawValue) },
        Row(
            FactRow(
                "auth.faults", "the faults of the credential of $", .kinds(GuardFacts.faults),
                fields: GuardFacts.fields, shownBy: .lines(["Authorization"])), because: notGuarded
        ) { Measurement(ofValues: $0.verdicts.last?.faults.map(\.kind.rawValue) ?? []) },
        Row(
            FactRow("cookies", "the names of the cookies of $", .list, fields: ["Cookie"], shownBy: .lines(["Cookie"])),
            because: { exchange, _, _ in exchange.reasonForAbsence(ofCookie: nil) }
        ) { $0.cookiePairs.map { .list($0.map(\.name)) } ?? .absent },
        // As it arrived (RFC 9112 §3.2).
        Row(
            FactRow(
                "target-form", "the form of the target of $",
                .word(FactWords("form", of: "a target", ["origin", "absolute", "authority", "asterisk"])),
                over: .formOfTarget, fields: ["Host"], shownBy: .requestLine)
        ) { exchange in
            if exchange.target.first == UInt8(ascii: "/") { return Measurement("origin") }
            if exchange.target == [UInt8(ascii: "*")] { return Measurement("asterisk") }
            return Measurement(exchange.isConnect ? "authority" : "absolute")
        },
        Row(
            FactRow(
                "authority", "the authority in the target of $", over: .formOfTarget, fields: ["Host"],
                shownBy: .requestLine),
            because: { exchange, _, _ in "its target \(WireText.quoted(exchange.target)) names none" }
        ) { $0.authority },
        // As they arrived, with that of the last chunk.
        Row(
            FactRow("chunk-lines", "the lines before the chunks of $", .list, over: .framing, shownBy: .content)
        ) { $0.chunkLines },
        // When the client did not send its content because it got no 100 (RFC 9110 §10.1.1).
        Row(FactRow("withheld", "whether the content of $ was kept back", .flag)) { exchange in
            exchange.content.map { Measurement($0.isWithheld && !exchange.hasLateContent) } ?? .bodyNotRead
        },
    ]

    private static let ofConnection: [Row] = [
        // They arrived when the connection was no longer HTTP.
        Row(FactRow("opaque", "the bytes behind the reply to $", over: .bytesBehind, subject: .connections)) {
            let (kept, count) = ($0.opaque.flatMap(\.kept), $0.opaque.reduce(0) { $0 &+ $1.byteCount })
            guard kept.count == count else { return .notKept("the journal kept \(kept.count) of \(count) bytes of it") }
            return $0.opaque.isEmpty ? .absent : .text(kept)
        },
        Row(
            FactRow(
                "opaque.length", "the number of bytes behind the reply to $", .number, over: .bytesBehind,
                subject: .connections)
        ) { $0.opaque.isEmpty ? .absent : Measurement($0.opaque.reduce(0) { $0 &+ $1.byteCount }) },
        Row(
            FactRow(
                "stream", "the number of the stream of $", .number,
                over: .http11("the fact is about the stream of a request"), subject: .connections)
        ) { Measurement($0.head.stream.map { Int($0) }) },
        Row(
            FactRow(
                "reused", "whether the connection of $ carried one before", .flag, over: .unsharedConnections,
                subject: .connections),
            inRecord: { exchange, record in Measurement(!record.earlier(on: exchange).isEmpty) }),
        Row(
            FactRow(
                "behind", "the number of requests without a whole reply before $ on its connection", .number,
                over: .pipelining, subject: .connections)
        ) { $0.head.isMultiplexed ? .absent : Measurement($0.behindCount) },
        // RFC 9113 §9.1.1.
        Row(
            FactRow(
                "coalesced", "whether the connection of $ carried one for another authority before", .flag,
                over: .unsharedConnections, subject: .connections),
            inRecord: { exchange, record in
                let authority = exchange.authorityOfHost
                return Measurement(
                    record.earlier(on: exchange).contains { record.exchanges[$0].authorityOfHost != authority })
            }),
    ]

    private static let worded: [Row] = [
        // Compared without regard to case, as trailers are.
        Row(
            FactRow(
                "headers.NAME", "the field NAME of $", .list, over: .field("NAME"), fields: ["NAME"],
                shownBy: .lines(["NAME"])),
            ofName: { Measurement(ofValues: $0.values($1)) }),
        Row(
            FactRow("trailers.NAME", "the trailer field NAME of $", .list, shownBy: .content),
            ofName: { $0.trailer($1) }),
        Row(
            FactRow(
                "form.NAME", "the value NAME in the form of $", .list, fields: ["Content-Type"], shownBy: .content),
            ofName: { $0.valueOfForm($1) }),
        Row(
            FactRow("query.NAME", "the value NAME in the query of $", .list, shownBy: .requestLine),
            ofName: { $0.query($1) }),
        // Names are case-sensitive (RFC 6265 §5.3); several cookies of one name are a list.
        Row(
            FactRow("cookies.NAME", "the cookie NAME of $", .list, fields: ["Cookie"], shownBy: .lines(["Cookie"])),
            because: { exchange, name, _ in exchange.reasonForAbsence(ofCookie: Array(name.utf8)) },
            ofName: { exchange, name in
                let name = Array(name.utf8)
                return Measurement(ofValues: (exchange.cookiePairs ?? []).filter { $0.name == name }.map(\.value))
            }),
        credentials("credentials.NAME", in: "Authorization", isProxy: false),
        credentials("proxy-credentials.NAME", in: "Proxy-Authorization", isProxy: true),
    ]

    /// A parameter without its quotes; the word may also be `scheme` or `token68`.
    private static func credentials(_ name: String, in field: String, isProxy: Bool) -> Row {
        Row(
            FactRow(name, "NAME in the \(field) of $", fields: [field], shownBy: .lines([field])),
            because: { exchange, name, _ in
                guard exchange.credential(name, isProxy: isProxy) == .absent else { return nil }
                if exchange.values(field).isEmpty { return "the request has no \(field)" }
                return "its \(field) has no \(WireText.escaped(name.utf8))"
            }, ofName: { $0.credential($1, isProxy: isProxy) })
    }

    /// Facts of the final reply that was sent.
    private static let ofReply: [Row] = [
        Row(
            FactRow("reply.status", "the status of the reply to $", .number, over: .statusWithout101), because: noReply
        ) { $0.ofReplyHead { $0.status.map { Measurement($0) } } },
        Row(
            FactRow("reply.headers.NAME", "the field NAME of the reply to $", .list, over: .field("NAME")),
            because: noReply,
            ofName: { exchange, name in
                exchange.ofReplyHead { reply in
                    reply.fields.map { Measurement(ofValues: $0.values(named: Array(name.utf8)).map { Array($0) }) }
                }
            }),
        Row(FactRow("reply.body", "the content of the reply to $"), because: noReply) {
            $0.ofWholeReply { content in
                guard content.isWhole else {
                    return .notKept("the journal kept \(content.kept.count) of \(content.byteCount) bytes of it")
                }
                return .text(content.kept)
            }
        },
        Row(
            FactRow("reply.body.length", "the length of the content of the reply to $ in bytes", .number),
            because: noReply
        ) { $0.ofWholeReply { Measurement($0.byteCount) } },
    ]

    /// Facts of parts of multipart/form-data; absent when there is no such part, or when the part lacks the field.
    private static let ofParts: [Row] = [
        part("name", "the name") { $0.name },
        part("filename", "the file name") { $0.fileName },
        part("filenameSpelling", "the file name as it was written") { $0.fileNameSpelling },
        part("type", "the media type") { $0.contentType },
        part("body", "the content") { $0.content },
    ]

    private static func part(
        _ name: String, _ words: String, _ value: @escaping @Sendable (FormData.Part) -> [UInt8]?
    ) -> Row {
        Row(
            FactRow("parts[N].\(name)", "\(words) of part # of $", fields: ["Content-Type"], shownBy: .content),
            ofNumber: { exchange, index in
                exchange.ofParts { parts in
                    guard parts.indices.contains(index) else { return .absent }
                    return value(parts[index]).map { .text($0) } ?? .absent
                }
            })
    }

    private static let notGuarded: Row.Because = { exchange, _, _ in
        exchange.verdicts.isEmpty ? "no guard was asked for it" : nil
    }

    private static let noReply: Row.Because = { exchange, _, _ in
        exchange.reply == nil ? "no reply to it began" : nil
    }

    private static let framingFields = ["Content-Length", "Transfer-Encoding"]

    private static var kinds: [String] {
        Violation.Kind.allCases.filter { $0.arises(in: .request) }.map(\.rawValue) + FrameViolationNote.kinds
    }
}

extension WireRecord {
    /// The indexes of the requests before one on its connection.
    fileprivate func earlier(on exchange: SeenExchange) -> [Int] {
        connections[exchange.connection].requests.filter { $0 < exchange.number }
    }
}
