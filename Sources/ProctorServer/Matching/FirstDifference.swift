internal import ProctorBase
internal import ProctorScenario

/// The first place at which content is not what an exchange wants.
struct FirstDifference {
    /// Counted from 0.
    let offset: Int
    private let wanted: [UInt8]
    private let got: [UInt8]

    /// Bytes of each excerpt.
    private static let excerptByteCount = 32

    /// nil where nothing differs, or where nobody knows what is wanted.
    init?(_ bytes: [UInt8], _ source: ByteSource, _ decoded: DecodedBody?) {
        guard let wanted = WantedBytes(source, decoded) else { return nil }
        let common = min(bytes.count, wanted.count)
        let offset = (0..<common).first { bytes[$0] != wanted[$0] } ?? common
        guard offset < max(bytes.count, wanted.count) else { return nil }
        self.offset = offset
        got = Array(bytes[offset...].prefix(Self.excerptByteCount))
        self.wanted = (offset..<min(wanted.count, offset + Self.excerptByteCount)).map { wanted[$0] }
    }

    /// Half a sentence.
    var sentence: String { "from byte \(offset) on wanted \(Self.text(wanted)), got \(Self.text(got))" }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.isEmpty ? "nothing more" : "\"\(EscapedText.of(bytes))\""
    }
}

/// The bytes of a pattern one by one; those of a repeated or generated one are not made for it.
private struct WantedBytes {
    let count: Int
    private let byte: (Int) -> UInt8

    init?(_ source: ByteSource, _ decoded: DecodedBody?) {
        switch source {
        case .literal(let bytes): self.init(bytes)
        case .template(let template):
            guard let bytes = template.literalBytes ?? decoded?.context.map({ template.rendered(in: $0) }) else {
                return nil
            }
            self.init(bytes)
        case .repeated(let unit, let byteCount):
            guard !unit.isEmpty else { return nil }
            self.init(count: byteCount) { unit[$0 % unit.count] }
        case .pattern(let pattern, let byteCount):
            self.init(count: byteCount) { pattern.byte(at: $0) }
        case .file(let file):
            guard let bytes = decoded?.bytes(of: file) else { return nil }
            self.init(bytes)
        }
    }

    private init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { bytes[$0] }
    }

    private init(count: Int, byte: @escaping (Int) -> UInt8) {
        self.count = count
        self.byte = byte
    }

    subscript(offset: Int) -> UInt8 { byte(offset) }
}
