import ProctorBase
import ProctorHTTP

/// Bytes of requests and replies as they stood on the wire, in any order that keeps replies in the order of requests;
/// and what curl writes with --trace and --trace-ascii.
package enum DumpReader {
    package static func read(_ bytes: [UInt8], file: String) throws(ImportFailure) -> Recording {
        guard bytes.count <= limit else {
            throw ImportFailure(at: file, "the file has \(bytes.count) bytes; at most \(limit) are read")
        }
        if CurlTrace.isTrace(bytes) {
            var trace = try CurlTrace(bytes, file: file)
            return try recording(of: &trace)
        }
        var recording = Recording(from: "a dump of HTTP")
        var messages = Messages(file: file)
        try messages.read(bytes)
        messages.finish(&recording)
        return recording
    }

    private static let limit = 256 << 20

    private static func recording(of trace: inout CurlTrace) throws(ImportFailure) -> Recording {
        var recording = Recording(by: "curl")
        recording.remarks = trace.remarks
        var messages = Messages(file: trace.file)
        for turn in trace.turns {
            messages.line = turn.line
            try messages.read(turn.bytes)
            messages.endTurn(isSent: turn.isSent)
        }
        messages.finish(&recording)
        return recording
    }
}

/// Messages of both directions, each reply behind the request that it answers.
private struct Messages {
    let file: String
    /// The line of a trace where the bytes begin; nil: places are offsets.
    var line: Int?
    private var open: [(place: String, request: RecordedRequest)] = []
    private var interim: [RecordedReply.InterimReply] = []
    private var exchanges: [RecordedExchange] = []
    private var remarks = ImportRemarks()

    init(file: String) { self.file = file }

    private func place(_ offset: Int) -> String { line.map { "\(file):\($0)" } ?? "\(file): byte \(offset)" }

    /// Reads messages up to the end of the bytes.
    mutating func read(_ bytes: [UInt8]) throws(ImportFailure) {
        var offset = 0
        while true {
            while offset < bytes.count, bytes[offset] == 0x0D || bytes[offset] == 0x0A { offset += 1 }
            guard offset < bytes.count else { return }
            if bytes[offset...].starts(with: "HTTP/".utf8) {
                try readReply(bytes, &offset)
            } else {
                try readRequest(bytes, &offset)
            }
        }
    }

    private mutating func readRequest(_ bytes: [UInt8], _ offset: inout Int) throws(ImportFailure) {
        let start = offset
        // A tool that shows HTTP/2 as text writes its version there.
        let text = Self.lowering(bytes, from: start, isRequest: true)
        var reader = RequestReader()
        var position = text == nil ? start : 0
        let input = text ?? bytes
        var head: RequestHead?
        var content: [UInt8] = []
        reading: while let event = reader.next(input.span, at: &position) {
            switch event {
            case .head(let requestHead): head = requestHead
            case .content(let range): content += input[range]
            case .refused(let violation):
                throw ImportFailure(
                    at: place(start),
                    "this is no request: \(violation.sentence); expected a request line, or a status line that begins with "
                        + "HTTP/")
            case .end: break reading
            case .chunk, .trailers, .violation: continue
            }
        }
        guard let head else {
            throw ImportFailure(at: place(start), "the head of a request is cut off: no empty line ends it")
        }
        offset = text == nil ? position : position + (start + (bytes.count - start - input.count))
        let host = head.fields.first { $0.name.isSame("host") }.map { String(decoding: $0.value, as: UTF8.self) }
        let target = String(decoding: head.target, as: UTF8.self)
        let fields = [HTTPField](head.fields)
        let request =
            RecordedRequest(method: head.method, url: target, fields: fields)
            ?? RecordedRequest(
                method: head.method, origin: host.map { "http://\($0.lowercased())" } ?? "", target: target,
                fields: fields)
        open.append((place(start), with(content, in: request)))
    }

    private func with(_ content: [UInt8], in request: RecordedRequest) -> RecordedRequest {
        var request = request
        request.content = content.isEmpty ? nil : content
        return request
    }

    /// The bytes from `start` on with HTTP/1.1 in place of HTTP/2 in the start line; nil where they say something else.
    private static func lowering(_ bytes: [UInt8], from start: Int, isRequest: Bool) -> [UInt8]? {
        let line = bytes[start...].prefix { $0 != 0x0A }
        guard let range = line.firstRange(ofBytes: "HTTP/2".utf8) ?? line.firstRange(ofBytes: "HTTP/3".utf8),
            isRequest || range.lowerBound == start
        else { return nil }
        let isDotted = bytes[range.upperBound...].starts(with: ".0".utf8)
        return Array(bytes[start..<range.lowerBound]) + Array("HTTP/1.1".utf8)
            + bytes[(range.upperBound + (isDotted ? 2 : 0))...]
    }

    private mutating func readReply(_ bytes: [UInt8], _ offset: inout Int) throws(ImportFailure) {
        let start = offset
        let lowered = Self.lowering(bytes, from: start, isRequest: false)
        let input = lowered ?? bytes
        var position = lowered == nil ? start : 0
        let method = open.first?.request.method ?? "GET"
        var reader = ReplyReader()
        reader.expectReply(to: Array(method.utf8))
        var head: ReplyHead?
        var reply = RecordedReply(status: 0)
        var isAtEnd = false
        var headEnd = 0
        reading: while true {
            let next = isAtEnd ? reader.finish() : reader.next(input.span, at: &position)
            guard let event = next else {
                if isAtEnd { break }
                isAtEnd = true
                continue
            }
            switch event {
            case .head(let replyHead) where replyHead.isInterim:
                interim.append(.init(status: replyHead.status, fields: [HTTPField](replyHead.fields)))
                // Behind 101 and interim heads the same reader goes on.
                continue
            case .head(let replyHead):
                head = replyHead
                headEnd = position
            case .content(let range): reply.content += input[range]
            case .trailers(let section): reply.trailers = [HTTPField](section)
            case .refused(let violation):
                guard let head else {
                    throw ImportFailure(at: place(start), "this is no reply: \(violation.sentence)")
                }
                if head.framing == .chunked, reply.content.isEmpty {
                    // What `curl -i` shows.
                    reply.content = Array(input[min(headEnd, input.count)...])
                    remarks.add(
                        at: place(start), "the content stands without its chunks; all up to the end is taken for it")
                    isAtEnd = true
                    break reading
                }
                remarks.add(
                    at: place(start),
                    "the content of the \(head.status) is not whole (\(violation.sentence)); what there is of it is kept"
                )
                break reading
            case .end:
                if head != nil { break reading }
            case .chunk, .violation: continue
            }
        }
        guard let head else {
            throw ImportFailure(at: place(start), "the head of a reply is cut off: no empty line ends it")
        }
        offset = isAtEnd ? bytes.count : bytes.count - (input.count - position)
        reply.status = head.status
        reply.reason = String(validUTF8: head.reason)
        reply.version = lowered != nil ? "HTTP/2" : head.version == .http10 ? "HTTP/1.0" : "HTTP/1.1"
        reply.fields = [HTTPField](head.fields)
        reply.framing =
            switch head.framing {
            case .chunked: .chunked
            case .untilClose where lowered == nil: .untilClose
            default: .unknown
            }
        addReply(reply, at: place(start))
    }

    private mutating func addReply(_ reply: RecordedReply, at place: String) {
        var reply = reply
        reply.interim = interim
        interim = []
        if open.isEmpty {
            remarks.add(at: place, "no request stands before this reply, which is given to GET /")
            open.append((place, RecordedRequest(method: "GET", origin: "", target: "/")))
        }
        let (requestPlace, request) = open.removeFirst()
        guard reply.status != 101, request.method != "CONNECT" else {
            remarks.add(at: place, "what is no HTTP any more behind this reply is left out")
            return
        }
        exchanges.append(RecordedExchange(at: requestPlace, request, reply))
    }

    /// A request without a reply when the next one is sent gets none.
    mutating func endTurn(isSent: Bool) {
        guard isSent, open.count > 1 else { return }
        tellUnanswered(open.dropLast())
        open = open.suffix(1)
    }

    private mutating func tellUnanswered(_ requests: some Sequence<(place: String, request: RecordedRequest)>) {
        for (place, request) in requests {
            remarks.add(at: place, "\(request.method) \(request.target) got no reply, and is left out")
        }
    }

    mutating func finish(_ recording: inout Recording) {
        tellUnanswered(open)
        recording.exchanges = exchanges
        recording.remarks += remarks
    }
}
