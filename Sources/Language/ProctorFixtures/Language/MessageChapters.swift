package import ProctorBase

/// The chapters of the book that messages about fixture files lead to.
package enum MessageChapters {
    /// What a file's messages are about, by the keys that lead to their places; the first row that fits counts.
    ///
    /// `*` is any one key; places in lists have the keys of the list.
    package static let rows: [(keys: String, chapter: String)] = [
        ("exchanges request headers", "format/conditions"), ("exchanges request where", "format/conditions"),
        ("exchanges request body", "format/conditions"), ("exchanges request json", "format/conditions"),
        ("exchanges request form", "format/conditions"), ("exchanges request parts", "format/conditions"),
        ("exchanges request not", "format/conditions"), ("exchanges request", "format/requests"),
        ("exchanges reply body", "format/bodies"), ("exchanges reply coding", "format/bodies"),
        ("exchanges reply framing", "format/bodies"), ("exchanges reply trailers", "format/bodies"),
        ("exchanges reply honours", "format/bodies"), ("exchanges reply effects", "format/effects"),
        ("exchanges reply pace", "format/effects"), ("exchanges reply slice", "format/effects"),
        ("exchanges reply script", "format/scripts"), ("exchanges reply tunnel", "format/proxies"),
        ("exchanges reply forward", "format/proxies"), ("exchanges reply opaque", "format/upgrades"),
        ("exchanges reply websocket", "format/websocket"),
        ("exchanges reply sets", "format/state"), ("exchanges reply", "format/replies"),
        ("exchanges when", "format/state"), ("exchanges auth", "format/guards"), ("exchanges", "format/requests"),
        ("guards", "format/guards"), ("auth", "format/guards"), ("tolerates", "judging/verdicts#tolerances"),
        ("origins * tls", "format/tls"), ("origins * certificate", "format/certificates"),
        ("origins * h2", "format/http2"), ("origins", "format/origins"), ("state", "format/state"),
        ("library", "format/scripts"), ("cases * client session", "format/session"),
        ("cases * client", "format/client"), ("cases * facts", "format/facts"), ("cases * cookies", "format/facts"),
        ("cases * wire", "format/expressions"), ("cases * with", "format/expressions"),
        ("cases * edges", "format/expressions"), ("cases * tolerates", "judging/verdicts#tolerances"),
        ("cases", "format/cases"), ("", "format/file"),
    ]

    /// The chapter of a message about a place of a fixture file, whose bytes these are.
    package static func chapter(at location: SourceLocation, in file: [UInt8]) -> String {
        let keys = FilePlace.keys(at: location, in: file)
        let row = rows.first { row in
            let wanted = row.keys.split(separator: " ")
            return wanted.count <= keys.count && zip(wanted, keys).allSatisfy { $0 == "*" || $0 == $1 }
        }
        return row?.chapter ?? "format/file"
    }
}
