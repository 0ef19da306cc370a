import ProctorHTTP
import ProctorHTTP3
import ProctorQUICWire

extension ReaderRunner {
    static let http3: [String: DataReader] = [
        // Integers of QUIC one behind the other, with the bytes that each has.
        "varints": .whole { input, _ in
            var lines: [String] = []
            var position = 0
            while position < input.count {
                let start = position
                guard let value = VariableInteger.read(input, at: &position) else {
                    lines.append("cut")
                    break
                }
                var copy: [UInt8] = []
                VariableInteger.append(value, width: position - start, to: &copy)
                lines.append(
                    "\(value) in \(position - start)" + (copy == Array(input[start..<position]) ? "" : " else"))
                if VariableInteger.byteCount(of: value) > position - start { lines.append("too short") }
            }
            return lines
        },
        // Frames of one stream alone. Word: `most N` (bytes of a payload).
        "h3-frames": .pieces { pieces, block in
            var reader = HTTP3FrameReader(maximumPayloadByteCount: try block.number(of: "most") ?? 128 << 10)
            var lines: [String] = []
            var content: [UInt8] = []
            for piece in pieces {
                var position = 0
                while let part = reader.next(piece.span, at: &position) {
                    if case .content(let range) = part {
                        content += piece[range]
                        continue
                    }
                    if !content.isEmpty { lines.append("content \(ByteText.inLine(content))") }
                    content = []
                    lines.append(HTTP3Lines.part(part, at: reader.frameOffset))
                }
                if position != piece.count { lines.append("\(piece.count - position) bytes were left") }
            }
            if !content.isEmpty { lines.append("content \(ByteText.inLine(content))") }
            return lines + (reader.isBetweenFrames ? [] : ["within a frame"])
        },
        // One frame or instruction as words, and its bytes.
        "h3-frame": .whole { input, _ in [try HTTP3FrameText.bytes(input).hexadecimal] },
        "qpack": .whole { input, block in try QPACKLines.read(input, block) },
        "qpack-encoder": .whole { input, _ in try QPACKEncoderLines.read(input) },
        "h3-connection": .whole { input, block in try HTTP3ConnectionLines.read(input, block) },
        "http3-violations": .whole { _, _ in
            HTTP3Violation.Kind.allCases.map { kind in
                let violation = HTTP3Violation(kind, at: 24, frame: .headers, stream: 4)
                return HTTP3Lines.violation(violation) + ": " + violation.sentence
            }
        },
    ]
}

/// What readers of HTTP/3 say, as lines.
enum HTTP3Lines {
    /// `missing-settings H3_MISSING_SETTINGS connection (RFC 9114 §6.2.1)`.
    static func violation(_ violation: HTTP3Violation) -> String {
        let isPrintable = violation.sentence.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        let isWhole = violation.description.contains("at byte \(violation.offset)") && violation.offset >= 0
        return "\(violation.kind.rawValue) \(violation.code.map { "\($0)" } ?? "-") \(violation.scope) "
            + "(\(violation.section))" + (isPrintable ? "" : " not printable") + (isWhole ? "" : " without its place")
    }

    static func part(_ part: HTTP3FrameReader.Part, at offset: Int) -> String {
        switch part {
        case .data(let count): return "DATA at \(offset), \(count) bytes"
        case .content: return "content"
        case .unknown(let type, let count): return "\(type) at \(offset), \(count) bytes, skipped"
        case .tooLong(let type, let count): return "\(type) at \(offset), \(count) bytes, too long"
        case .frame(let frame):
            return "\(frame.type) at \(offset), \(frame.payload.count) bytes: "
                + (HTTP3FrameContent(frame).map { content($0, frame) } ?? "not read")
        }
    }

    private static func content(_ content: HTTP3FrameContent, _ frame: HTTP3Frame) -> String {
        switch content {
        case .headers: return ByteText.inLine(frame.payload)
        case .cancelPush(let id): return "cancel \(id)"
        case .settings(let settings): return settings.map(\.description).joined(separator: " ")
        case .pushPromise(let id, let start): return "promise \(id) \(ByteText.inLine(frame.payload[start...]))"
        case .goAway(let id): return "from \(id)"
        case .maxPushID(let id): return "up to \(id)"
        case .priorityUpdate(let element, let isPush, let start):
            return "of \(isPush ? "push " : "")\(element) \(ByteText.inLine(frame.payload[start...]))"
        }
    }

    static func event(_ event: HTTP3Event) -> String {
        func block(_ block: HTTP3Event.FieldBlock) -> String {
            HTTP2Lines.fields(block.section.fields) + " in \(block.byteCount) bytes"
        }
        switch event {
        case .head(let stream, let found): return "head \(stream) \(block(found))"
        case .refusedHead(let stream, let found): return "refused head \(stream) \(block(found))"
        case .content(let stream, let bytes): return "content \(stream) \(ByteText.inLine(bytes))"
        case .trailers(let stream, let found): return "trailers \(stream) \(block(found))"
        case .end(let stream): return "end \(stream)"
        case .reset(let stream, let code): return "reset \(stream) \(code)"
        case .stop(let stream, let code): return "stop \(stream) \(code)"
        case .refused(let stream): return "refused \(stream)"
        case .opened(let stream, let type): return "opened \(stream) \(type)"
        case .settings(let settings):
            return (["settings"] + settings.map(\.description)).joined(separator: " ")
        case .goAway(let id): return "goaway \(id)"
        case .maxPushID(let id): return "max push \(id)"
        case .cancelPush(let id): return "cancel push \(id)"
        case .promise(let stream, let id, let found): return "promise \(id) on \(stream) \(block(found))"
        case .push(let stream, let id): return "push \(id) on \(stream)"
        case .priorityUpdate(let element, let isPush, let value):
            return "priority \(isPush ? "of push " : "")\(element) \(ByteText.inLine(value))"
        case .unknown(let stream, let type, let count): return "unknown \(stream) \(type), \(count) bytes"
        case .blocked(let stream, let count): return "\(stream) waits for \(count)"
        case .violation(let found): return violation(found)
        }
    }
}
