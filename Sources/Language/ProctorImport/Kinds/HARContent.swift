import ProctorBase
import ProctorHTTP

/// The content of a reply in a HAR: text, base64, or base64 in pieces.
struct HARContent {
    private(set) var bytes: [UInt8] = []
    /// What is said of content that the HAR does not hold; nil where it holds all.
    private(set) var lack: String?

    /// `beside` reads files beside the HAR, which Playwright writes with `content: attach`.
    init(
        _ response: SourceValue, fields: [HTTPField], beside: HARReader.Files?, remarks: inout ImportRemarks
    ) throws(HARReader.Skipped) {
        let content = response["content"]
        let announced = fields.value(of: "Content-Length").flatMap { Int($0) }
        guard let content, let text = content["text"]?.text, !text.isEmpty else {
            if let file = content?["_file"]?.text, !file.isEmpty {
                let read = Self.bytes(ofFile: file, beside)
                bytes = read.bytes ?? []
                // Text is decoded and written as UTF-8.
                if let announced, announced != bytes.count, !fields.contains(named: "Content-Encoding"),
                    let text = String(validUTF8: bytes)
                {
                    bytes = TextBytes(text, charset: MediaType(of: fields)?.charset, lengths: [announced]).bytes
                }
                lack = read.refusal.map {
                    "the content stands in the file \(file) beside the HAR, which \($0): the reply has none"
                }
                return
            }
            lack = Self.lack(size: content?["size"]?.integer, told: announced, sent: response["bodySize"]?.integer)
            return
        }
        if content["encoding"]?.text == "base64" || content["_isBinary"]?.boolean == true {
            bytes = try Self.decoded(text, of: content)
            return
        }
        let isCoded = fields.contains(named: "Content-Encoding")
        let read = TextBytes(
            text, charset: MediaType(of: fields)?.charset,
            lengths: isCoded ? [] : [announced, response["bodySize"]?.integer])
        bytes = read.bytes
        if let sentence = read.remark { remarks.add(at: content.place, sentence) }
    }

    /// The bytes of a file beside the HAR, or why it is not read, as the rest of a sentence.
    static func bytes(ofFile name: String, _ beside: HARReader.Files?) -> (bytes: [UInt8]?, refusal: String?) {
        guard let beside else { return (nil, "is not read here") }
        do throws(FileRefusal) { return (try beside(name), nil) } catch { return (nil, error.description) }
    }

    /// `size` is that of the HAR, where a page that did not read the content leaves -1; `told` Content-Length.
    private static func lack(size: Int?, told: Int?, sent: Int?) -> String? {
        if let length = [size, told, sent].compactMap({ $0 }).first(where: { $0 > 0 }) {
            return size == 0
                ? nil : "the HAR does not hold these \(length) bytes of content, so the reply has none"
        }
        guard let size, size < 0, told == nil else { return nil }
        return "the HAR does not say whether there was content, so the reply has none"
    }

    /// Base64, or a list of pieces in base64 as Polly writes what came in pieces.
    private static func decoded(_ text: String, of content: SourceValue) throws(HARReader.Skipped) -> [UInt8] {
        if text.hasPrefix("["), let document = try? JSONDocument(parsing: Array(text.utf8)),
            case .list = document.values[0].kind
        {
            var bytes: [UInt8] = []
            for piece in document.children(of: 0) {
                guard case .text(let text) = document.values[piece].kind, let decoded = try? Base64Text.decode(text)
                else {
                    throw HARReader.Skipped(
                        value: content, member: "/text", sentence: "a piece of the list is no base64")
                }
                bytes += decoded
            }
            return bytes
        }
        do {
            return try Base64Text.decode(Array(text.utf8))
        } catch {
            throw HARReader.Skipped(
                value: content, member: "/text", sentence: "byte \(error.offset): \(error.sentence)")
        }
    }
}
