import ProctorBase
import ProctorHTTP
import ProctorHTTP2

@testable import ProctorHTTP2Serving
@testable import ProctorJournal
@testable import ProctorServing

extension ReaderRunner {
    static let notes: [String: DataReader] = [
        // A frame of HTTP/2 as words, into the lines of a journal about it.
        "frame-note": .whole { input, _ in
            let frame = try FrameText.frame(input)
            var bytes: [UInt8] = []
            FrameWriter.append(frame, to: &bytes)
            var reader = FrameReader(expectsPreface: false)
            var position = 0
            guard case .frame(let read)? = reader.next(bytes.span, at: &position) else {
                throw TextError("no frame was read")
            }
            let note = FrameNote(read, by: .client)
            let sent = FrameNote(
                by: .server, type: note.type, flags: note.flags, stream: note.stream, byteCount: note.byteCount,
                offset: 700, padding: note.padding, detail: note.detail)
            let isSame = FrameNote(ReadFrame(sent: frame, at: 700), by: .server) == sent
            return ([.frame(note)] + read.violations.map { .frameViolation(FrameViolationNote($0)) }).map(line)
                + (isSame ? [] : ["the same frame that is sent is told otherwise"])
        },
        // A block of HPACK in hexadecimal. Words: `fields N` (what is kept).
        "block-note": .whole { input, block in
            guard let decoder = HeaderDecoder() else { throw TextError("no memory") }
            var limits = HeaderDecoder.Limits()
            limits.fieldCount = try block.number(of: "fields") ?? limits.fieldCount
            let section = try decoder.decode(input, limits)
            return [
                line(
                    .fieldBlock(
                        FieldBlockNote(
                            section, by: .client, stream: 1, kind: .request, frameCount: 2, byteCount: input.count)))
            ]
        },
        // Lines of a journal, into those for a person who watches a server; with `json` for a program.
        "request-lines": .textBytes { input, block in
            var open = OpenRequests()
            var lines: [String] = []
            for entry in try JournalLines(input, file: "j").entries {
                for notes in open.ended(by: entry, connection: entry.connection ?? 0) {
                    let request = LoggedRequest(
                        scenario: block.value(of: "as"), run: block.value(of: "run"), notes: notes)
                    let line = RequestLogLine.request(request, WallClockOffset())
                    let isPrintable = [line.text, line.json].allSatisfy { PrintableText.sanitize($0) == $0 }
                    lines.append(
                        block.has("json")
                            ? line.json.replacing(/"time":"[-0-9T:.]*Z",/, with: "")
                            : "\(line.outcome)" + line.text.dropFirst("00:00:00.000".count))
                    if !isPrintable { lines.append("not printable") }
                }
            }
            return lines
        },
    ]

    private static func line(_ event: JournalEvent) -> String {
        let entry = JournalEntry(sequence: 1, nanoseconds: 1, connection: 0, request: nil, event: event)
        return String(decoding: JournalEncoder().lines([entry]).dropLast(), as: UTF8.self)
            .replacing("\"seq\":1,\"ns\":1,\"connection\":0,", with: "")
    }
}
