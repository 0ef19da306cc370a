internal import ProctorBase
internal import ProctorHTTP

/// What came behind the end of a request on a connection where no other request is answered.
struct Surplus {
    /// Of the request, which end where these bytes begin.
    let requestByteCount: Int
    /// The client's own word: no other request may follow (RFC 9112 §9.3, §9.6).
    let isForbidden: Bool
    private(set) var byteCount = 0
    private(set) var first: [UInt8] = []
    /// The journal says what is wrong with it.
    var isNoted = false

    /// Enough to tell a request from other bytes.
    private static let keptLimit = 16 << 10

    init(behind head: RequestHead, byteCount: Int) {
        requestByteCount = byteCount
        isForbidden = !head.keepsAlive
    }

    mutating func take(_ bytes: Span<UInt8>) {
        byteCount += bytes.count
        let room = min(bytes.count, Self.keptLimit - first.count)
        if room > 0 { first.append(bytes.extracting(first: room)) }
    }

    /// Whether more bytes would change nothing.
    var isDecided: Bool {
        guard case .request = Reading(first) else { return false }
        return true
    }

    /// What is wrong with it; empty where nothing came.
    ///
    /// A request that the client may have sent before it knew of the end is told of and wrong in nothing: whoever pipelines
    /// has to ask again (RFC 9112 §9.3.2).
    var violations: [Violation] {
        guard byteCount > 0 else { return [] }
        switch Reading(first) {
        case .emptyLines(let found):
            return found.map { Violation($0.kind, at: requestByteCount + $0.offset, detail: $0.detail) }
        case .request(let offset):
            return [Violation(isForbidden ? .requestAfterClose : .unansweredRequest, at: requestByteCount + offset)]
        case .other(let offset):
            guard isForbidden || !RequestStart.isPlausible(first[offset...]) else {
                return [Violation(.unansweredRequest, at: requestByteCount + offset)]
            }
            return [
                .surplus(first[offset...], at: requestByteCount + offset, byteCount: byteCount - offset)
            ]
        }
    }

    private enum Reading {
        case emptyLines([Violation])
        /// A head is complete; where it begins.
        case request(Int)
        /// No head is; where the bytes behind empty lines begin.
        case other(Int)

        init(_ bytes: [UInt8]) {
            var reader = RequestReader()
            var offset = 0
            while let event = reader.next(bytes.span, at: &offset) {
                guard case .head(let head) = event else { continue }
                self = .request(head.precedingByteCount)
                return
            }
            if let start = bytes.firstIndex(where: { $0 != 0x0D && $0 != 0x0A }) {
                self = .other(start)
                return
            }
            var found: [Violation] = []
            while let event = reader.end() {
                switch event {
                case .violation(let violation), .refused(let violation): found.append(violation)
                case .head, .content, .chunk, .trailers, .end: break
                }
            }
            self = .emptyLines(found)
        }
    }
}

/// Whether bytes can be how a request begins that goes on elsewhere.
enum RequestStart {
    /// A standard method, or the beginning of one; behind it a space and the beginning of a target.
    static func isPlausible(_ bytes: ArraySlice<UInt8>) -> Bool {
        let word = bytes.prefix { $0 != 0x20 }
        guard word.count < bytes.count else { return methods.contains { $0.starts(with: word) } }
        guard methods.contains(where: { $0.elementsEqual(word) }) else { return false }
        guard let next = bytes.dropFirst(word.count + 1).first else { return true }
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "*") || next == UInt8(ascii: "[")
            || next.isASCIILetterOrDigit
    }

    /// What bytes turn out to be that come where the content of a request may be left out.
    enum Finding {
        /// Another request: its line is there, with a method that RFC 9110 or the request before names.
        case request
        case other
        /// It may become the line of a request.
        case undecided
    }

    /// The longest line of a request that is waited for.
    private static let lineLimit = 16 << 10

    static func finding(_ bytes: ArraySlice<UInt8>, after method: ArraySlice<UInt8>) -> Finding {
        let isOfMethod = { bytes.starts(with: method + [0x20]) || method.starts(with: bytes) }
        guard isPlausible(bytes) || isOfMethod() else { return .other }
        guard let end = bytes.firstIndex(of: 0x0A) else { return bytes.count < lineLimit ? .undecided : .other }
        let words = bytes[..<end].split(separator: 0x20).map { $0.filter { $0 != 0x0D } }
        return words.count == 3 && words[2].starts(with: Array("HTTP/".utf8)) ? .request : .other
    }

    private static let methods: [[UInt8]] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
    ].map { Array($0.utf8) }
}

extension Violation {
    /// Bytes that belong to no request.
    static func surplus(_ bytes: ArraySlice<UInt8>, at offset: Int, byteCount: Int) -> Violation {
        Violation(.bytesAfterRequest, at: offset, detail: Array(bytes.prefix(64)), bound: byteCount)
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self
    }
}
