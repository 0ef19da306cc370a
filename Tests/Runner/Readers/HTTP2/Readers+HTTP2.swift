import ProctorBase
import ProctorHTTP
import ProctorHTTP2

extension ReaderRunner {
    static let http2: [String: DataReader] = [
        // Frames alone. Words: `preface` (a client's comes first), `most N` (bytes of a payload).
        "frames": .pieces { pieces, block in
            var reader = FrameReader(
                expectsPreface: block.has("preface"),
                maximumPayloadByteCount: try block.number(of: "most") ?? FrameLimits.smallestMaximum)
            var lines: [String] = []
            for piece in pieces {
                var position = 0
                while let part = reader.next(piece.span, at: &position) { lines.append(HTTP2Lines.part(part)) }
                if position != piece.count { lines.append("\(piece.count - position) bytes were left") }
            }
            return lines
        },
        // One frame as words, and its bytes.
        "frame": .whole { input, block in
            var bytes: [UInt8] = []
            FrameWriter.append(
                try FrameText.frame(input), statedByteCount: try block.number(of: "stated"), to: &bytes)
            return [bytes.hexadecimal]
        },
        "connection": .whole { input, block in try ConnectionLines.read(input, block) },
        // Blocks of one direction between `|`. Words: `list N`, `fields N` (what is kept), `items` (how they are written).
        "field-blocks": .whole { input, block in try FieldBlockLines.read(input, block) },
        "field-sections": .whole { input, _ in try EncoderLines.read(input) },
        "huffman": .whole { input, _ in try HuffmanLines.read(input) },
        "http2-violations": .whole { _, _ in
            HTTP2Violation.Kind.allCases.map { kind in
                let violation = HTTP2Violation(kind, at: 24, frame: .priorityUpdate, stream: 1)
                return HTTP2Lines.violation(violation) + ": " + violation.sentence
            }
        },
    ]
}

/// What readers of HTTP/2 say, as lines.
enum HTTP2Lines {
    /// `frame-on-idle-stream PROTOCOL_ERROR connection (RFC 9113 §5.1)`.
    static func violation(_ violation: HTTP2Violation) -> String {
        let isPrintable = violation.sentence.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        let isWhole = violation.description.contains("at byte \(violation.offset)") && violation.offset >= 0
        return "\(violation.kind.rawValue) \(violation.code.map { "\($0)" } ?? "-") \(violation.scope) "
            + "(\(violation.section))" + (isPrintable ? "" : " not printable") + (isWhole ? "" : " without its place")
    }

    static func part(_ part: FrameReader.Part) -> String {
        switch part {
        case .preface: "preface"
        case .notHTTP2(let violation): "refused at \(violation.offset): " + self.violation(violation)
        case .frame(let read):
            "\(frame(read.frame)) at \(read.offset), \(read.payloadByteCount) bytes: "
                + (read.content.map { content($0, read.frame.payload) } ?? "not read")
                + read.violations.map { ", " + violation($0) }.joined()
        }
    }

    private static func frame(_ frame: Frame) -> String {
        "\(frame.type) \(frame.stream)"
            + (frame.flags.isEmpty ? "" : " flags \(String(frame.flags.rawValue, radix: 16))")
            + (frame.hasReservedBit ? " reserved" : "")
    }

    private static func content(_ content: FrameContent, _ payload: [UInt8]) -> String {
        func shown(_ range: Range<Int>) -> String { ByteText.inLine(payload[range]) }
        func padded(_ padding: Padding?) -> String {
            padding.map { " padding \($0.byteCount)" + ($0.isZero ? "" : " not zero") } ?? ""
        }
        switch content {
        case .data(let range, let padding): return "data \(shown(range))" + padded(padding)
        case .headers(let range, let dependency, let padding):
            return "headers \(shown(range))" + (dependency.map { " " + self.dependency($0) } ?? "") + padded(padding)
        case .priority(let dependency): return self.dependency(dependency)
        case .resetStream(let code): return "\(code)"
        case .settings(let settings): return "settings " + settings.map(\.description).joined(separator: " ")
        case .pushPromise(let promised, let range, let padding):
            return "promise \(promised) \(shown(range))" + padded(padding)
        case .ping(let bytes): return "ping " + bytes.hexadecimal
        case .goAway(let last, let code, let debug): return "last \(last) \(code) \(shown(debug))"
        case .windowUpdate(let increment): return "by \(increment)"
        case .continuation(let range): return "continuation \(shown(range))"
        case .priorityUpdate(let stream, let range): return "of \(stream) \(shown(range))"
        case .unknown: return "unknown"
        }
    }

    private static func dependency(_ dependency: StreamDependency) -> String {
        "depends \(dependency.stream)\(dependency.isExclusive ? " exclusive" : "") weight \(dependency.weight)"
    }

    static func event(_ event: ConnectionEvent, of frame: Frame) -> String {
        func block(_ block: ConnectionEvent.FieldBlock) -> String {
            fields(block.section.fields) + " in \(block.frameCount) frames, \(block.blockByteCount) bytes"
                + (block.endsStream ? ", end" : "")
        }
        func shown(_ range: Range<Int>) -> String { ByteText.inLine(frame.payload[range]) }
        switch event {
        case .head(let stream, let found): return "head \(stream) \(block(found))"
        case .data(let stream, let range, let count, let endsStream):
            return "data \(stream) \(shown(range)), \(count) of the window" + (endsStream ? ", end" : "")
        case .trailers(let stream, let found): return "trailers \(stream) \(block(found))"
        case .reset(let stream, let code): return "reset \(stream) \(code)"
        case .settings(let settings): return "settings " + settings.map(\.description).joined(separator: " ")
        case .settingsAcknowledged: return "settings acknowledged"
        case .ping(let bytes): return "ping " + bytes.hexadecimal
        case .pingAcknowledged(let bytes): return "ping acknowledged " + bytes.hexadecimal
        case .goAway(let last, let code, let debug): return "goaway \(last) \(code) \(shown(debug))"
        case .window(let stream, let increment): return "window \(stream) by \(increment)"
        case .priority(let stream, let dependency): return "priority \(stream) " + self.dependency(dependency)
        case .priorityUpdate(let stream, let range): return "priority update \(stream) \(shown(range))"
        case .push(let stream, let promised, let found): return "push \(promised) on \(stream) \(block(found))"
        case .violation(let found): return violation(found)
        case .unknown: return "unknown"
        }
    }

    /// `[:status=200|x=y]`, with `!` before the name of a field that is never indexed.
    static func fields(_ fields: [HeaderField]) -> String {
        let shown = fields.map {
            ($0.isNeverIndexed ? "!" : "") + ByteText.inLine($0.name) + "=" + ByteText.inLine($0.value)
        }
        return "[\(shown.joined(separator: "|"))]"
    }
}
