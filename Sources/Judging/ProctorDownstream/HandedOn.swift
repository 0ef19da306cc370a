internal import ProctorBase
internal import ProctorHTTP

/// Compares a message at both ends of an intermediary, beside what RFC 9110 §7.6 lets one change.
struct HandedOn {
    /// Fields of which no change counts: those of one connection (§7.6.1), of framing, of hops, and what intermediaries add.
    private let ignored: Set<String>
    /// Fields that none may add, since they change what the message means.
    private let notAdded: Set<String>

    private static let ofHops: Set = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "trailer",
        "content-length",
        "via", "date", "proxy-authorization", "proxy-authenticate", "proxy-authentication-info", "http2-settings",
    ]

    /// The comparison of requests.
    ///
    /// It ignores Host, which a gateway makes its own, and the fields by which hops say whom they speak for.
    static let ofRequests = HandedOn(
        ignored: ofHops.union([
            "host", "forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port",
            "x-real-ip",
            "x-forwarded-server", "expect", "max-forwards", "x-request-id",
        ]),
        notAdded: [
            "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range",
            "authorization",
            "cookie", "content-type", "content-encoding", "content-language",
        ])

    static let ofReplies = HandedOn(
        ignored: ofHops.union(["server", "age", "warning", "alt-svc", "cache-status", "proxy-status"]),
        notAdded: [
            "content-encoding", "content-range", "content-language", "content-location", "set-cookie",
            "etag",
            "last-modified", "location", "www-authenticate", "content-disposition", "retry-after", "allow",
        ])

    /// What differs between the fields of both ends: `lost X-A: 1`, `added ETag: "a"`, `changed X-A: 1 -> 2`, in the order of the
    /// first end.
    func changes(from before: FieldSection, to after: FieldSection) -> [String] {
        let ended = Self.options(of: before)
        func isCompared(_ name: String) -> Bool { !ignored.contains(name) && !ended.contains(name) }
        let (old, new) = (Self.values(of: before), Self.values(of: after))
        var changes: [String] = []
        for name in old.names where isCompared(name) {
            let was = old.values[name] ?? []
            guard let now = new.values[name] else {
                changes.append("lost \(name): \(Self.shown(was))")
                continue
            }
            if !Self.areSame(was, now, name) {
                changes.append("changed \(name): \(Self.shown(was)) -> \(Self.shown(now))")
            }
        }
        for name in new.names where old.values[name] == nil && notAdded.contains(name) {
            changes.append("added \(name): \(Self.shown(new.values[name] ?? []))")
        }
        return changes
    }

    /// Lines of one name may be joined by commas (RFC 9110 §5.3), but for Set-Cookie.
    private static func areSame(_ one: [[UInt8]], _ other: [[UInt8]], _ name: String) -> Bool {
        if one == other { return true }
        return name != "set-cookie" && joined(one) == joined(other)
    }

    private static func joined(_ values: [[UInt8]]) -> [UInt8] {
        Array(values.joined(separator: [UInt8(ascii: ",")])).filter { $0 != 0x20 && $0 != 0x09 }
    }

    private static func shown(_ values: [[UInt8]]) -> String {
        values.map { EscapedText.escape($0, limit: 100) }.joined(separator: " | ")
    }

    private static func values(of section: FieldSection) -> (names: [String], values: [String: [[UInt8]]]) {
        var names: [String] = []
        var values: [String: [[UInt8]]] = [:]
        for line in section {
            let name = String(decoding: line.name, as: UTF8.self).lowercased()
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(Array(line.value))
        }
        return (names, values)
    }

    /// The names that Connection lists, which end with the hop (§7.6.1).
    private static func options(of section: FieldSection) -> Set<String> {
        let words = section.values(named: "Connection").flatMap { $0.split(separator: UInt8(ascii: ",")) }
        return Set(
            words.map { word in String(decoding: word.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased() }
        )
    }
}
