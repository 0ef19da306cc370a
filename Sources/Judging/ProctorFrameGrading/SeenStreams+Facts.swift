internal import ProctorBase
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

extension SeenStreams {
    static let facts: [GatheredFact<SeenStream>] = [
        // On its connection.
        GatheredFact("id", "the number of $", .number) { Measurement(Int($0.id)) },
        GatheredFact("connection", "the number of the connection of $", .number) { Measurement($0.connection) },
        GatheredFact(
            "request", "the number of the request of $", .number,
            inRecord: { stream, record in Measurement(stream.request(in: record)) }),
        // Whichever came first.
        GatheredFact(
            "end", "how the client ended its half of $",
            .word(FactWords("end", of: "a stream", ["end-stream", "reset"]))
        ) { Measurement($0.end?.rawValue) },
        // The name of the error code in the client's first RST_STREAM.
        GatheredFact("reset", "the code with which the client reset $", .word(.errorCodes)) {
            Measurement($0.resetCode)
        },
        GatheredFact("data", "the number of the client's DATA frames on $", .number) {
            $0.hasHiddenData ? hidden : Measurement($0.dataCount)
        },
        // In DATA frames, without padding.
        GatheredFact(
            "length", "the length of the content on $ in bytes", .number,
            inRecord: { stream, record in
                guard stream.hasHiddenData else { return Measurement(stream.contentByteCount) }
                let body = stream.request(in: record).flatMap { record.exchanges[$0].content }
                return body.flatMap { $0.isComplete ? Measurement($0.byteCount) : nil } ?? hidden
            }),
        // In DATA and HEADERS frames, without the Pad Length byte.
        GatheredFact("padding", "the length of the padding on $ in bytes", .number) {
            $0.hasHiddenData ? hidden : Measurement($0.paddingByteCount)
        },
        // In order; adjacent DATA frames count once, and so do adjacent CONTINUATION frames.
        GatheredFact(
            "frames", "the types of the client's frames on $",
            .words(FactWords("type", of: "a frame on a stream", FrameNote.typesOfStreams))
        ) { $0.hasHiddenData ? hidden : Measurement(ofList: $0.frames) },
        // In order, with pseudo-header fields.
        GatheredFact("fields", "the field names of the request on $", .list) { $0.fieldNames },
        // The sum of the increments in its WINDOW_UPDATE frames, in bytes.
        GatheredFact("window", "the bytes by which the client widened the window of $", .number) {
            Measurement($0.windowByteCount)
        },
        // The values of the latest priority by RFC 7540; a weight is from 1 to 256.
        GatheredFact("weight", "the weight of $", .number) { Measurement($0.dependency?.weight) },
        GatheredFact("dependency", "the stream that $ depends on", .number) {
            Measurement($0.dependency.map { Int($0.stream) })
        },
        GatheredFact("exclusive", "whether $ depends on another one alone", .flag) {
            $0.dependency.map { Measurement($0.isExclusive) } ?? .absent
        },
        // The value of the latest PRIORITY_UPDATE (RFC 9218 §7.1).
        GatheredFact("priority", "the priority of $") { $0.priority.map { .text($0) } ?? .absent },
    ]

    private static let hidden = Measurement.notKept(
        "the journal has entries of the first \(FrameNote.dataEntryLimit) DATA frames alone")
}

extension SeenStream {
    /// The index of its request; nil when there is none.
    fileprivate func request(in record: WireRecord) -> Int? {
        record.requests(on: connection).first { record.exchanges[$0].head.stream == id }
    }

    fileprivate var fieldNames: Measurement {
        guard let block else { return .notKept("no whole field block of it came") }
        guard block.items.count == block.itemCount else {
            return .notKept("the journal kept \(block.items.count) of \(block.itemCount) items of its field block")
        }
        return .list(block.fields.map(\.name))
    }
}

extension FactWords {
    static let errorCodes = FactWords("error code", FrameNote.codes)
}
