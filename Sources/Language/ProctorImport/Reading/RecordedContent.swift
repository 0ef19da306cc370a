import ProctorBase
import ProctorCoding
import ProctorHTTP

/// The content of a recorded reply without its codings, and what codes it again.
///
/// The fields say which codings there may be, and decoding says whether they are there: a recorder may have undone them
/// and left the field.
package struct RecordedContent: Sendable {
    package private(set) var content: [UInt8]
    /// The steps of `coding`; empty where the bytes are sent as they are.
    private(set) var steps: [YAMLTree] = []
    /// Whether the bytes of the source are those that were sent, so that Content-Length counts them.
    private(set) var isAsSent = true
    /// What is not as the fields say.
    private(set) var remark: String?

    /// Bytes of decoded content of one reply, and of all replies of a recording together.
    package static let contentLimit = 256 << 20

    /// Content that has more than `limit` bytes decoded is sent as it came.
    package init(_ reply: RecordedReply, limit: Int = contentLimit) {
        content = reply.content
        let names = reply.fields.all(named: "Content-Encoding")
            .flatMap { $0.bytes.split(separator: UInt8(ascii: ",")) }
            .map { $0.filter { $0 != 0x20 && $0 != 0x09 } }.filter { !$0.isEmpty && !$0.isSame("identity") }
        guard !names.isEmpty, !content.isEmpty else { return }
        let codings = names.compactMap { ContentCoding(name: $0) }
        guard codings.count == names.count else {
            remark = "a content coding that this program does not know is sent as it came"
            return
        }
        let usual = codings.map { YAMLTree.text($0.rawValue) }
        guard reply.codings != .undone else {
            (steps, isAsSent) = (usual, false)
            return
        }
        do throws(CodingFailure) {
            let decoded = try CodingDecoder.decode(content, codings: codings, limit: limit)
            let isRaw = Self.isRawDeflate(content, codings)
            steps = usual
            // Neither has a checksum, so that text may be one by chance.
            if reply.codings == .either, isRaw || codings.last == .brotli, Self.isText(content) {
                isAsSent = false
                return
            }
            if isRaw { steps[steps.count - 1] = ["deflate": ["format": .text("raw")]] }
            content = decoded
        } catch {
            if reply.codings == .either, !Self.beginsCoded(content, codings) {
                (steps, isAsSent) = (usual, false)
            } else {
                remark = "the content is not what its Content-Encoding says (\(error)), and is sent as it came"
            }
        }
    }

    /// A stream of zlib begins with the method 8 (RFC 1950 §2.2), which no raw DEFLATE of an encoder does.
    private static func isRawDeflate(_ content: [UInt8], _ codings: [ContentCoding]) -> Bool {
        codings.last == .deflate && content.first.map { $0 & 0x0F != 8 } == true
    }

    private static func isText(_ content: [UInt8]) -> Bool {
        String(validUTF8: content) != nil && content.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 }
    }

    /// Whether content that can't be decoded has the header of its coding all the same, so that it broke on its way.
    private static func beginsCoded(_ content: [UInt8], _ codings: [ContentCoding]) -> Bool {
        switch codings.last {
        case .gzip, .xGzip: content.starts(with: [0x1F, 0x8B, 8])
        case .zstd: content.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
        case .deflate:
            // CMF and FLG are a multiple of 31 together.
            content.count > 1 && content[0] & 0x0F == 8 && (Int(content[0]) << 8 | Int(content[1])) % 31 == 0
                && !isText(content)
        case .brotli, .identity, nil: false
        }
    }
}

extension [HTTPField] {
    /// The content of a request without its codings, as a fixture compares it.
    ///
    /// As it stands where it is not what they say, since a recorder may have undone them.
    func decoded(_ content: [UInt8]) -> [UInt8] {
        guard !content.isEmpty, let codings = ReceivedCodings(all(named: "Content-Encoding").map(\.bytes)),
            case .bytes(let bytes) = try? codings.decode(content)
        else { return content }
        return bytes
    }
}
