internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP

/// What a client without bounds keeps of its replies: a deliberate fault.
struct Excess {
    /// Every line of heads that came, with all lines before it in several copies, more of a long line.
    private var lines: [UInt8] = []
    /// The lines of all heads so far.
    private var heads: [UInt8] = []
    private var decoders: [ContentDecoding] = []

    /// The most bytes that are kept, more than any case permits, so that the fault itself does not fill the machine.
    private static let byteLimit = 1_600 << 20
    private static let decoderLimit = 200_000
    private static let copies = 32

    /// Limits of the reader that no reply of a fixture passes.
    static let limits = ReplyLimits(
        statusLineByteCount: 1 << 28, fieldLineByteCount: 1 << 28, fieldCount: 10_000_000, headByteCount: 1 << 29,
        interimCount: 1_000_000)

    mutating func keepLines(of head: ReplyHead) {
        for field in head.fields {
            heads += field.name + field.value
            for _ in 0..<(Self.copies + field.value.count >> 10) where lines.count + heads.count < Self.byteLimit {
                lines += heads
            }
        }
        for value in head.fields.values(named: "Content-Encoding") {
            for name in HTTPField(name: "", bytes: Array(value)).elements {
                guard decoders.count < Self.decoderLimit, let coding = ContentCoding(name: name),
                    let decoder = try? ContentDecoding([coding])
                else { continue }
                decoders.append(decoder)
            }
        }
    }

    mutating func keepContent(_ content: [UInt8]) { lines += content }

    /// All content that can be decoded of what has arrived; nil: none.
    static func decodeAtOnce(_ decoding: ContentDecoding, _ arrival: inout Arrival) throws(CodingFailure) -> [UInt8]? {
        var whole: [UInt8] = []
        while true {
            while let piece = try decoding.next() { whole += piece }
            guard arrival.hasContent else { return whole.isEmpty ? nil : whole }
            decoding.append(arrival.takeContent())
        }
    }
}
