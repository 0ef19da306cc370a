import ProctorBase
import ProctorSOCKS

extension ReaderRunner {
    static let socks: [String: DataReader] = [
        // What a client of SOCKS sends; `password` asks for a user behind the greeting.
        "socks-client": .pieces(trailing: SOCKSLines.trailing) { pieces, block in
            var reader = SOCKSReader()
            var lines = SOCKSLines()
            for piece in pieces {
                var position = 0
                while let message = reader.next(piece.span, at: &position) {
                    lines.add(message)
                    switch message {
                    case .greeting: block.has("password") ? reader.expectLogin() : reader.expectRequest()
                    case .login: reader.expectRequest()
                    case .request, .violation: continue
                    }
                }
                lines.read += piece[..<position]
            }
            return lines.all(isOver: reader.isOver, end: reader.finish())
        },
        // What a proxy sends: of `methods N,N`, `login`, and `reply` or `old-reply` what stands behind the reader, in this order.
        "socks-proxy": .pieces(trailing: SOCKSLines.trailing) { pieces, block in
            var expected: [SOCKSReplyReader.Expected] = []
            if let methods = block.value(of: "methods") {
                expected.append(.selection(among: methods.split(separator: ",").compactMap { UInt8($0) }))
            }
            if block.has("login") { expected.append(.login) }
            if block.has("reply") { expected.append(.reply(.five)) }
            if block.has("old-reply") { expected.append(.reply(.four)) }
            var left = expected[...]
            var reader = SOCKSReplyReader()
            var lines = SOCKSLines()
            var isOver = false
            if let first = left.popFirst() { reader.expect(first) }
            for piece in pieces {
                var position = 0
                while let message = reader.next(piece.span, at: &position) {
                    lines.add(message)
                    if case .violation = message { continue }
                    if let next = left.popFirst() { reader.expect(next) } else { isOver = true }
                }
                lines.read += piece[..<position]
            }
            return lines.all(isOver: isOver, end: reader.finish())
        },
    ]
}

/// Messages of SOCKS as lines, and written again.
private struct SOCKSLines {
    static let trailing: [[UInt8]] = [[0], [0xFF, 0xFF, 0xFF], Array("GET / HTTP/1.1\r\n\r\n".utf8)]

    private var lines: [String] = []
    private var written: [UInt8] = []
    private var isRight = true
    /// What the reader has taken.
    var read: [UInt8] = []

    mutating func add(_ message: SOCKSClientMessage) {
        switch message {
        case .greeting(let methods):
            lines.append("greeting " + methods.map { "\($0)" }.joined(separator: ","))
            written += SOCKSWriter.greeting(methods: methods)
        case .login(let user, let password):
            lines.append("login \(ValueText.text(user)) \(ValueText.text(password))")
            written += SOCKSWriter.login(user: user, password: password)
        case .request(let request):
            let user = request.user.isEmpty ? "" : " of \(ByteText.inLine(request.user))"
            lines.append(
                "\(request.version.rawValue) \(request.commandText) \(request.destination.kind)"
                    + " \(ByteText.inLine(request.authority))\(user)")
            written += SOCKSWriter.request(request)
        case .violation(let violation): add(violation)
        }
    }

    mutating func add(_ message: SOCKSProxyMessage) {
        switch message {
        case .selection(let method):
            lines.append("selects \(method)")
            written += SOCKSWriter.selection(method)
        case .login(let status):
            lines.append("login \(status)")
            written += SOCKSWriter.loginReply(status: status)
        case .reply(let reply):
            let place = "\(reply.bound.kind) \(ByteText.inLine(reply.bound.hostText)):\(reply.port)"
            lines.append(
                "reply of \(reply.isOfVersion5 ? 5 : 4), \(reply.hasSucceeded ? "success" : "failure")"
                    + " \(reply.code) at \(place)")
            written += SOCKSWriter.reply(reply)
        case .violation(let violation): add(violation)
        }
    }

    private mutating func add(_ violation: SOCKSViolation) {
        isRight = false
        lines.append(
            PlacedText.line(
                violation.kind, violation.offset, isFatal: violation.isFatal, violation.section, violation.sentence))
    }

    mutating func all(isOver: Bool, end: SOCKSViolation?) -> [String] {
        if let end {
            lines.append("\(end.kind.rawValue) at \(end.offset) (\(end.section)): \(end.sentence)")
            isRight = false
        }
        if isRight, written != read { lines.append("written as \(written.hexadecimal)") }
        return isOver && lines.last?.hasPrefix("refused") == false ? lines + ["\(read.count) bytes", "end"] : lines
    }
}

/// What breaks a rule of a format, with its place.
enum PlacedText {
    static func line<Kind: RawRepresentable<String>>(
        _ kind: Kind, _ offset: Int, isFatal: Bool, _ section: String, _ sentence: String
    ) -> String { "\(isFatal ? "refused" : "violation") \(kind.rawValue) at \(offset) (\(section)): \(sentence)" }
}
