internal import ProctorBase
internal import ProctorHTTP
import ProctorJournal
internal import ProctorLoop

/// Bytes that come on a connection on which nothing is answered any more, on their way into the journals.
///
/// On the loop's thread only.
final class LateInput {
    private let socket: Socket
    private let bounds: ConnectionBounds
    private let input: RequestInput
    private let journals: ConnectionJournals
    /// What came behind the last request; nil for nearly every connection.
    private var surplus: Surplus?
    /// Behind the last reply: content of its request, as framed, and whatever else.
    private var lateContent = UnreadBytes()
    private var lateBytes = UnreadBytes()
    /// What follows on the connection is no HTTP, or is not read as such.
    var leavesHTTP = false
    /// The bytes that follow can't be told from those of a layer that failed.
    var ignoresLateBytes = false
    /// The request behind whose reply the connection is no HTTP any more; nil while it is.
    var opaqueLog: RequestLog?
    /// Nothing is to be sent any more, and whatever comes is taken as it comes.
    var isAtRest = false

    init(socket: Socket, bounds: ConnectionBounds, input: RequestInput, journals: ConnectionJournals) {
        self.socket = socket
        self.bounds = bounds
        self.input = input
        self.journals = journals
    }

    // MARK: Reading on

    /// Behind ``Socket/halfClose()``: reads on for a bounded while, so that the peer gets our last bytes, and notes what
    /// came behind the last request.
    func linger() async {
        await socket.linger(within: bounds) { take($0) }
        noteSurplus()
        noteUnreadBytes()
    }

    /// After a half-close: reads on until the peer leaves too, then closes.
    func awaitPeer() async throws(ConnectionEnd) {
        takeKept()
        do throws(SocketError) {
            while try await socket.read(within: bounds.stall, { take($0) }) != nil {}
        } catch {
            if error == .cancelled { throw ConnectionEnd(error) }
        }
        noteSurplus()
        noteUnreadBytes()
        await socket.drainLayer(within: bounds.progress)
        socket.close()
    }

    /// What was read already stands behind the last request.
    func takeKept() {
        input.drainKept { take($0) }
        // A whole request needs no more bytes to be told of, and so stands before the end.
        if surplus?.isDecided == true { noteSurplus() }
    }

    /// Takes bytes: first what is left of the request.
    private func take(_ bytes: Span<UInt8>) {
        guard let head = input.request.head, !leavesHTTP, head.form != .authority, input.request.refusal == nil else {
            return lateBytes.take(bytes)
        }
        var offset = 0
        if !isBehindWithheldContent(bytes, head) {
            offset = input.skipContent(bytes)
            if offset > 0 { lateContent.take(bytes.extracting(0..<offset)) }
            guard input.request.isComplete else { return }
        }
        guard offset < bytes.count else { return }
        lateBytes.take(bytes.extracting(offset..<bytes.count))
        if surplus == nil { surplus = Surplus(behind: head, byteCount: input.byteCount) }
        surplus?.take(bytes.extracting(offset..<bytes.count))
    }

    /// Whether these bytes are no content, which the client has kept back, but another request.
    private func isBehindWithheldContent(_ bytes: Span<UInt8>, _ head: RequestHead) -> Bool {
        guard input.request.isWithheld, !input.request.isComplete, !bytes.isEmpty else { return false }
        if surplus != nil { return true }
        guard lateContent.isEmpty else { return false }
        if case .other = RequestStart.finding(bytes.array[...], after: head.methodBytes) { return false }
        return true
    }

    // MARK: Journals

    /// Notes what came and stands in no other entry, as far as the connection has come.
    func noteUnreadBytes() {
        journals.note(input.unfinished.event(.unfinished))
        if ignoresLateBytes { return }
        input.drainKept { lateBytes.take($0) }
        journals.note(lateContent.event(.late))
        guard let event = lateBytes.event(opaqueLog == nil ? .behind : .opaque) else { return }
        if let opaqueLog { opaqueLog.append(event) } else { journals.note(event) }
    }

    private func noteSurplus() {
        guard let found = surplus, !found.isNoted else { return }
        surplus?.isNoted = true
        for violation in found.violations { journals.note(.violation(violation)) }
    }

    /// Notes what the peer began behind an answered request, when it has left or is not waited for any longer.
    ///
    /// `hasLeft` says that the peer has ended the connection, by FIN or RST, so that a head that began will not be whole.
    func noteUnfinishedHead(hasLeft: Bool) {
        guard input.request.head == nil else { return }
        let begun = input.partialHead
        if let last = input.previousByteCount, !begun.isEmpty, !RequestStart.isPlausible(begun[...]) {
            let offset = input.byteCount - begun.count
            journals.note(.violation(.surplus(begun[...], at: last + offset, byteCount: begun.count)))
            journals.note(input.unfinished.event(.behind))
        } else if hasLeft {
            for violation in input.violationsAtEnd() { journals.note(.violation(violation)) }
        }
    }
}

extension Socket {
    /// Behind ``halfClose()``: reads on for a bounded while, then closes.
    ///
    /// Closing at once would turn unread bytes into an RST that destroys what the peer has not read yet. A peer that
    /// still sends is given time as long as it sends: ``ConnectionBounds/linger`` is for each wait, unless `limit` is
    /// given, and ``ConnectionBounds/wholeLinger`` for all of them. Records that were written go first, as long as the
    /// peer takes some within ``ConnectionBounds/progress``. All are nanoseconds; `limit` takes the place of all three.
    ///
    /// `take` is lent what is read, as long as it is understood.
    func linger(
        within bounds: ConnectionBounds, limit: UInt64? = nil, _ take: (Span<UInt8>) -> Void = { _ in }
    ) async {
        await drainLayer(within: limit ?? bounds.progress)
        let start = MonotonicClock.nanoseconds
        let wholeLimit = limit ?? bounds.wholeLinger
        var left = bounds.lingerByteCount
        var isUnderstood = true
        while left > 0 {
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < wholeLimit else { break }
            do throws(SocketError) {
                let got = try await read(within: min(limit ?? bounds.linger, wholeLimit - passed)) { bytes in
                    if isUnderstood { take(bytes) }
                    return bytes.count
                }
                guard let got else { break }
                left -= got
            } catch {
                // What can't be understood any more is read over as it comes.
                guard case .layerFailed = error, layer?.unsentByteCount == 0 else { break }
                layer = nil
                isUnderstood = false
            }
        }
        close()
    }
}

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
        isForbidden = !head.keepsConnection
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
    /// A request that the client may have sent before it knew of the end is told of and wrong in nothing: a client that
    /// pipelines has to ask again (RFC 9112 §9.3.2).
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
            self = .emptyLines(reader.violationsAtEnd())
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
        /// The bytes may become the line of a request.
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
