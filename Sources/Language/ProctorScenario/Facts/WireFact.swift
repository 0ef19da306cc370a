import ProctorBase
import ProctorHTTP
import ProctorJournal

extension FactName {
    /// A fact about a request and its reply.
    package enum WireFact: Sendable, Hashable {
        case method, target, version, body, bodyLength, codedBody, connection, origin, violations, fieldNames
        /// The framing of the content: `none`, `length` or `chunked`.
        case framing
        /// The byte counts of the chunks in order, without the last chunk.
        case chunks
        /// Milliseconds between the end of the previous request's head and this one's.
        case gap
        /// Whether it came no sooner than Retry-After of the reply before said (RFC 9110 §10.2.3); absent where that said nothing.
        case waited
        /// Compared without regard to case.
        case header(String)
        /// Compared without regard to case.
        case trailer(String)
        /// The decoded values of application/x-www-form-urlencoded.
        case form(String)
        /// The decoded values in the query of the target.
        case query(String)
        /// The result of the last guard (GuardVerdict.Outcome); absent when no guard judged the request.
        case guardOutcome
        /// The kinds of the credential's faults, in order.
        case guardFaults
        /// A parameter of (Proxy-)Authorization without its quotes; the name may also be `scheme` or `token68`.
        case credentials(String, isProxy: Bool)
        /// The names of the cookies in the Cookie field, in order; absent without the field.
        case cookieNames
        /// The value of a cookie in the Cookie field; a list when the name occurs several times.
        case cookie(String)
        /// `origin`, `absolute`, `authority` or `asterisk` as it arrived (RFC 9112 §3.2).
        case targetForm
        /// The authority of a target in absolute-form or authority-form, as it arrived.
        case authority
        /// The number of parts of multipart/form-data.
        case partCount
        /// Of one part of multipart/form-data.
        case part(index: Int, PartFact)
        /// The chunk-size lines as they arrived, with that of the last chunk.
        case chunkLines
        /// `true` when the client did not send its content because it got no 100 (RFC 9110 §10.1.1).
        case withheld
        /// The bytes that arrived after the reply, when the connection was no longer HTTP.
        case opaque
        case opaqueLength
        /// Of the final reply that was sent.
        case reply(ReplyFact)
        /// Compared without regard to case.
        case replyHeader(String)
        /// The id of the request's stream; absent over HTTP/1.1.
        case stream
        /// `true` when its connection had carried another request before.
        case reused
        /// How many requests before it on its connection had no whole reply when it came; absent over HTTP/2.
        case behind
        /// `true` when its connection had carried a request for another authority before.
        case coalesced
    }

    package enum ReplyFact: Sendable, Hashable {
        case status, body, bodyLength
    }

    package enum PartFact: String, Sendable, Hashable, CaseIterable {
        case name, filename, filenameSpelling, type, body
    }
}

extension FactName.WireFact {
    package var row: FactRow {
        switch self {
        case .method: FactRow("the method of $", named: "method", shownBy: .requestLine)
        case .target: FactRow("the target of $", named: "target", shownBy: .requestLine)
        case .version:
            FactRow(
                "the version of $", named: "version", over: .http11("the fact is about the version of a request"),
                shownBy: .requestLine)
        case .body: FactRow("the content of $", named: "body", shownBy: .content)
        case .codedBody: FactRow("the content of $ as it came", named: "body.coded", shownBy: .content)
        case .bodyLength:
            FactRow(
                "the length of the content of $ in bytes", .number, named: "body.length", fields: Self.framingFields,
                shownBy: .content)
        case .connection:
            FactRow(
                "the number of the connection of $", .number, named: "connection", over: .unsharedConnections,
                subject: .connections)
        case .origin: FactRow("the origin of $", .word(.origins), named: "origin")
        case .violations:
            FactRow(
                "the violations of $", .kinds(FactWords("violation", Self.kinds)), named: "violations",
                over: .http11Values("the fact is about violations of HTTP/1.1"))
        case .fieldNames:
            FactRow(
                "the field names of $", .list, named: "fields",
                over: .http11("the fact is about field names as they came, which HTTP/2 has in lower case"))
        case .framing:
            FactRow(
                "the framing of $", .word(FactWords("framing", of: "a request", ["none", "length", "chunked"])),
                named: "framing", over: .framing, fields: Self.framingFields, shownBy: .lines(Self.framingFields))
        case .chunks:
            FactRow(
                "the lengths of the chunks of $", .list, named: "chunks", over: .framing, fields: Self.framingFields,
                shownBy: .content)
        case .gap: FactRow("the milliseconds from the request before to $", .number, named: "gap")
        case .waited:
            FactRow("whether $ came no sooner than Retry-After of the reply before it said", .flag, named: "waited")
        case .header(let name):
            FactRow(
                "the field NAME of $", .list, named: "headers.NAME", name, over: .field(name), fields: [name],
                shownBy: .lines([name]))
        case .trailer(let name):
            FactRow("the trailer field NAME of $", .list, named: "trailers.NAME", name, shownBy: .content)
        case .form(let name):
            FactRow(
                "the value NAME in the form of $", .list, named: "form.NAME", name, fields: ["Content-Type"],
                shownBy: .content)
        case .query(let name):
            FactRow("the value NAME in the query of $", .list, named: "query.NAME", name, shownBy: .requestLine)
        case .guardOutcome:
            FactRow(
                "the guard's verdict on $",
                .word(FactWords("outcome", of: "a guard", GuardVerdict.Outcome.allCases.map(\.rawValue))),
                named: "auth", fields: Self.credentialFields, shownBy: .lines(["Authorization"]))
        case .guardFaults:
            FactRow(
                "the faults of the credential of $", .kinds(.faults), named: "auth.faults",
                fields: Self.credentialFields, shownBy: .lines(["Authorization"]))
        case .credentials(let name, isProxy: false):
            FactRow(
                "NAME in the Authorization of $", named: "credentials.NAME", name, fields: ["Authorization"],
                shownBy: .lines(["Authorization"]))
        case .credentials(let name, isProxy: true):
            FactRow(
                "NAME in the Proxy-Authorization of $", named: "proxy-credentials.NAME", name,
                fields: ["Proxy-Authorization"], shownBy: .lines(["Proxy-Authorization"]))
        case .cookieNames:
            FactRow(
                "the names of the cookies of $", .list, named: "cookies", fields: ["Cookie"],
                shownBy: .lines(["Cookie"]))
        case .cookie(let name):
            FactRow(
                "the cookie NAME of $", .list, named: "cookies.NAME", name, fields: ["Cookie"],
                shownBy: .lines(["Cookie"]))
        case .targetForm:
            FactRow(
                "the form of the target of $",
                // RFC 9112 §3.2.
                .word(FactWords("form", of: "a target", ["origin", "absolute", "authority", "asterisk"])),
                named: "target-form", over: .formOfTarget, fields: ["Host"], shownBy: .requestLine)
        case .authority:
            FactRow(
                "the authority in the target of $", named: "authority", over: .formOfTarget, fields: ["Host"],
                shownBy: .requestLine)
        case .partCount:
            FactRow(
                "the number of parts of $", .number, named: "parts", fields: ["Content-Type"], shownBy: .content)
        case .part(let index, let fact):
            FactRow(
                "\(fact.words) of part \(index + 1) of $", named: "parts[\(index)].\(fact.rawValue)",
                fields: ["Content-Type"], shownBy: .content)
        case .chunkLines:
            FactRow(
                "the lines before the chunks of $", .list, named: "chunk-lines", over: .framing, shownBy: .content)
        case .withheld: FactRow("whether the content of $ was kept back", .flag, named: "withheld")
        case .opaque:
            FactRow(
                "the bytes behind the reply to $", named: "opaque", over: .bytesBehind, subject: .connections)
        case .opaqueLength:
            FactRow(
                "the number of bytes behind the reply to $", .number, named: "opaque.length", over: .bytesBehind,
                subject: .connections)
        case .reply(.status):
            FactRow("the status of the reply to $", .number, named: "reply.status", over: .statusWithout101)
        case .reply(.body): FactRow("the content of the reply to $", named: "reply.body")
        case .reply(.bodyLength):
            FactRow("the length of the content of the reply to $ in bytes", .number, named: "reply.body.length")
        case .replyHeader(let name):
            FactRow("the field NAME of the reply to $", .list, named: "reply.headers.NAME", name, over: .field(name))
        case .stream:
            FactRow(
                "the number of the stream of $", .number, named: "stream",
                over: .http11("the fact is about the stream of a request"), subject: .connections)
        case .reused:
            FactRow(
                "whether the connection of $ carried one before", .flag, named: "reused", over: .unsharedConnections,
                subject: .connections)
        case .behind:
            FactRow(
                "the number of requests without a whole reply before $ on its connection", .number, named: "behind",
                over: .pipelining, subject: .connections)
        case .coalesced:
            FactRow(
                "whether the connection of $ carried one for another authority before", .flag, named: "coalesced",
                over: .unsharedConnections, subject: .connections)
        }
    }

    private static let framingFields = ["Content-Length", "Transfer-Encoding"]

    private static let credentialFields = ["Authorization", "Proxy-Authorization"]

    private static var kinds: [String] {
        Violation.Kind.allCases.filter { $0.arises(in: .request) }.map(\.rawValue) + FrameViolationNote.kinds
    }
}

extension FactWords {
    static let faults = FactWords("fault", of: "a credential", CredentialFault.Kind.allCases.map(\.rawValue))
}

extension FactName.PartFact {
    fileprivate var words: String {
        switch self {
        case .name: "the name"
        case .filename: "the file name"
        case .filenameSpelling: "the file name as it was written"
        case .type: "the media type"
        case .body: "the content"
        }
    }
}

// MARK: Names

extension FactName.WireFact {
    /// How names are read, in the order of messages.
    private enum Form {
        case one(FactName.WireFact)
        case named(@Sendable (String) -> FactName.WireFact)
        case part

        var name: String {
            switch self {
            case .one(let fact): fact.row.name
            case .named(let make): make("").row.name
            case .part: "parts[N].NAME"
            }
        }
    }

    private static let forms: [Form] =
        [
            method, target, version, body, bodyLength, codedBody, connection, origin, violations, fieldNames, gap,
            waited, framing,
            chunks,
            partCount, guardOutcome, guardFaults, cookieNames, targetForm, authority, chunkLines, withheld, opaque,
            opaqueLength, stream, reused, behind, coalesced,
        ].map(Form.one) + [
            .named(header), .named(trailer), .named(form), .named(query), .named(cookie), .part,
            .named { .credentials($0, isProxy: false) }, .named { .credentials($0, isProxy: true) },
            .one(.reply(.status)), .named(replyHeader), .one(.reply(.body)), .one(.reply(.bodyLength)),
        ]

    /// The names below `wire[N].`, with `NAME` and `N` in them.
    static let names = forms.map(\.name)

    private static let plain = FactName.byName(
        forms.compactMap { form in if case .one(let fact) = form { fact } else { nil } }, \.row.name)

    /// What stands before the argument of a name.
    private static let named = forms.compactMap { form in
        if case .named(let make) = form { (prefix: String(form.name.dropLast("NAME".count)), make: make) } else { nil }
    }

    init(parsing name: String, prefix: String) throws(FactNameError) {
        if let fact = Self.plain[name] {
            self = fact
        } else if let (index, rest) = try FactName.indexed(name, "parts", within: prefix) {
            self = .part(index: index, try FactName.choice(rest, "\(prefix)parts[\(index)]."))
        } else if let form = Self.named.first(where: { name.hasPrefix($0.prefix) && name != $0.prefix }) {
            self = form.make(String(name.dropFirst(form.prefix.count)))
        } else if let rest = name.dropping(prefix: "reply.") {
            // The permitted names are told in this order.
            let names = ["status", "body", "body.length", "headers.NAME"]
            throw .unknown(rest, below: "\(prefix)reply.", among: names)
        } else {
            throw .unknown(name, below: prefix, among: Self.names)
        }
    }
}
