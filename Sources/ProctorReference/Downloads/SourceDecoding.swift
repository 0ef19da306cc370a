internal import ProctorCoding

/// Makes the file of a download out of the encoding that it came in, which its delegate was asked about (R37).
///
/// Belongs to the thread of the load.
final class SourceDecoding {
    /// What a file can stand in; MacBinary and BinHex carry a second fork, which is left behind.
    enum Encoding: Sendable {
        case gzip, macBinary, binHex
    }

    let encoding: Encoding
    /// Of gzip, as it comes.
    private let stream: ContentDecoding?
    /// Of the others, whose checksums say at the end whether any of it is right.
    private var collected: [UInt8] = []

    /// Encoded bytes of MacBinary and BinHex that are held at most.
    private static let limit = 64 << 20

    init(_ encoding: Encoding) throws(LoadError) {
        self.encoding = encoding
        guard case .gzip = encoding else {
            stream = nil
            return
        }
        do throws(CodingFailure) {
            stream = try ContentDecoding([.gzip])
        } catch {
            throw Self.failure(error)
        }
    }

    /// Takes more of the encoded bytes and hands on what they give.
    func take(_ bytes: [UInt8], _ write: ([UInt8]) throws(LoadError) -> Void) throws(LoadError) {
        guard let stream else {
            guard Self.limit - collected.count >= bytes.count else {
                throw LoadError(
                    .dataLengthExceedsMaximum,
                    "the encoded file is longer than the \(Self.limit) bytes that are decoded; answer no and decode the file"
                )
            }
            collected += bytes
            return
        }
        stream.take(bytes)
        while let piece = try Self.next(of: stream) { try write(piece) }
    }

    /// The encoded bytes are over.
    func finish(_ write: ([UInt8]) throws(LoadError) -> Void) throws(LoadError) {
        let content: [UInt8]
        do throws(CodingFailure) {
            switch encoding {
            case .gzip:
                try stream?.finish()
                return
            case .macBinary: content = try MacBinary(parsing: collected).file.data
            case .binHex: content = try BinHex(parsing: collected).file.data
            }
        } catch {
            throw Self.failure(error)
        }
        collected = []
        try write(content)
    }

    private static func next(of stream: ContentDecoding) throws(LoadError) -> [UInt8]? {
        do throws(CodingFailure) {
            return try stream.next()
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ failure: CodingFailure) -> LoadError {
        LoadError(.cannotDecodeRawData, "the file can't be taken out of its encoding: \(failure)")
    }
}

extension SourceDecoding.Encoding {
    /// By a MIME type, in the spellings of the listing and of the reference of NSURLDownload; nil for a plain file.
    init?(type: String) {
        switch type {
        case "application/gzip", "application/x-gzip": self = .gzip
        case "application/macbinary": self = .macBinary
        case "application/binhex", "application/mac-binhex40": self = .binHex
        default: return nil
        }
    }

    /// The name of the file without the ending that stands for its encoding.
    func decodedName(_ name: String) -> String {
        let ending =
            switch self {
            case .gzip: ".gz"
            case .macBinary: ".bin"
            case .binHex: ".hqx"
            }
        guard name.count > ending.count, name.lowercased().hasSuffix(ending) else { return name }
        return String(name.dropLast(ending.count))
    }
}
