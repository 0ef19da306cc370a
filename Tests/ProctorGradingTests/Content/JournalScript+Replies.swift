import ProctorHTTP
import ProctorTrace

extension JournalScript {
    /// A request and all of its reply: the fields as they are given, the content as a client has it in the end.
    ///
    /// `coded` is the content with its codings; `content` nil is one that nobody knows.
    @discardableResult
    mutating func exchange(
        _ line: String, on connection: Int = 0, fields: [String] = ["Host: h"], body: String? = nil,
        _ status: Int, _ replyFields: [String] = [], content: String? = "", coded: String? = nil, isCut: Bool = false
    ) throws -> Int {
        let number = try request(line, on: connection, fields: fields, body: body)
        let sent = content.map { SentContent(byteCount: $0.utf8.count, kept: Array($0.utf8)) }
        add(
            .replyBegun(
                SentReply(
                    status: status, fields: Self.section(replyFields), headByteCount: 20, content: sent,
                    codedContent: coded.map { SentContent(byteCount: $0.utf8.count, kept: Array($0.utf8)) })),
            on: connection, request: number)
        if isCut {
            add(.effectPlayed(action: "close", position: "body 3"), on: connection, request: number)
        }
        add(.replySent(status: status, byteCount: 20 + (content?.utf8.count ?? 0)), on: connection, request: number)
        wait(milliseconds: 10)
        return number
    }

    private static func section(_ lines: [String]) -> FieldSection {
        FieldSection(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (Array(parts[0].utf8), Array(parts[1].drop { $0 == " " }.utf8))
            })
    }
}
