internal import ProctorBase
internal import ProctorHTTP
import ProctorJournal
package import ProctorLoop
internal import ProctorReplies

/// Reads bytes that arrive after the last answered request, and notes them in the journals; on the loop's thread only.
final class LateInput {
    private unowned let connection: Connection
    /// Bytes after the last request; nil where none came.
    private var surplus: Surplus?
    /// Bytes after the last reply: content of its request, as framed, and any others.
    private var lateContent = UnreadBytes()
    private var lateBytes = UnreadBytes()
    /// The request after whose reply the connection is no longer HTTP; nil while it is HTTP.
    var opaqueLog: RequestLog?

    init(of connection: Connection) { self.connection = connection }

    private var socket: Socket { connection.socket }
    private var bounds: ConnectionBounds { connection.bounds }
    private var input: RequestInput { connection.input }
    private var journals: ConnectionJournals { connection.journals }

    // MARK: Reading on

    /// After ``Socket/halfClose()``: reads for a bounded time, so that the peer receives our last bytes, and notes
    /// what came after the last request.
    func linger() async {
        await socket.linger(within: bounds) { readLate($0) }
        noteSurplus()
        noteUnreadBytes()
    }

    /// After a half-close: reads until the peer leaves, then closes.
    func awaitPeer() async throws(ConnectionEnd) {
        takeKept()
        do throws(SocketError) {
            while try await socket.read(within: bounds.stall, { readLate($0) }) != nil {}
        } catch {
            if error == .cancelled { throw ConnectionEnd(error) }
        }
        noteSurplus()
        noteUnreadBytes()
        await socket.drainLayer(within: bounds.progress)
        socket.close()
    }

    /// Takes bytes that were read already and follow the last request.
    func takeKept() {
        input.drainKept { readLate($0) }
        // A whole request needs no more bytes, so its entry comes before the end of the connection.
        if surplus?.isDecided == true { noteSurplus() }
    }

    /// Takes bytes: first the rest of the current request.
    private func readLate(_ bytes: Span<UInt8>) {
        guard let head = input.request.head, !connection.leavesHTTP, head.form != .authority,
            input.request.refusal == nil
        else {
            return lateBytes.append(bytes)
        }
        var offset = 0
        if !isBehindWithheldContent(bytes, head) {
            offset = input.skipContent(bytes)
            if offset > 0 { lateContent.append(bytes.extracting(0..<offset)) }
            guard input.request.isComplete else { return }
        }
        guard offset < bytes.count else { return }
        lateBytes.append(bytes.extracting(offset..<bytes.count))
        if surplus == nil { surplus = Surplus(behind: head, byteCount: input.byteCount) }
        surplus?.append(bytes.extracting(offset..<bytes.count))
    }

    /// Whether these bytes are another request, so that the client did not send the announced content.
    private func isBehindWithheldContent(_ bytes: Span<UInt8>, _ head: RequestHead) -> Bool {
        guard input.request.isWithheld, !input.request.isComplete, !bytes.isEmpty else { return false }
        if surplus != nil { return true }
        guard lateContent.isEmpty else { return false }
        if case .other = RequestStart.finding(bytes.array[...], after: head.methodBytes) { return false }
        return true
    }

    // MARK: Journals

    /// Notes bytes that are in no other entry, up to the connection's position.
    func noteUnreadBytes() {
        journals.append(input.unfinished.event(.unfinished))
        if connection.ignoresLateBytes { return }
        input.drainKept { lateBytes.append($0) }
        journals.append(lateContent.event(.late))
        guard let event = lateBytes.event(opaqueLog == nil ? .behind : .opaque) else { return }
        if let opaqueLog { opaqueLog.append(event) } else { journals.append(event) }
    }

    private func noteSurplus() {
        guard let surplus, !surplus.isNoted else { return }
        self.surplus?.isNoted = true
        for violation in surplus.violations { journals.append(.violation(violation)) }
    }

    /// Notes the unfinished head after an answered request, when the peer has left or the wait is over.
    ///
    /// `hasLeft`: the peer ended the connection by FIN or RST, so the head stays incomplete.
    func noteUnfinishedHead(hasLeft: Bool) {
        guard input.request.head == nil else { return }
        let begun = input.partialHead
        if let last = input.previousByteCount, !begun.isEmpty, !RequestStart.isPlausible(begun[...]) {
            let offset = input.byteCount - begun.count
            journals.append(.violation(.surplus(begun[...], at: last + offset, byteCount: begun.count)))
            journals.append(input.unfinished.event(.behind))
        } else if hasLeft {
            for violation in input.violationsAtEnd() { journals.append(.violation(violation)) }
        }
    }
}

extension Socket {
    /// After ``halfClose()``: reads for a bounded time, then closes.
    ///
    /// All times are nanoseconds. Closing at once would turn unread bytes into an RST, which destroys what the peer
    /// has not read yet. Written records are sent first, while the peer takes some within
    /// ``ConnectionBounds/progress``. Each wait lasts at most ``ConnectionBounds/linger``, all of them
    /// ``ConnectionBounds/wholeLinger``; `limit` replaces all three. `take` is lent the bytes, as long as the TLS
    /// layer can decrypt them.
    package func linger(
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
                // Bytes that can't be decrypted any more are read and dropped.
                guard case .layerFailed = error, layer?.unsentByteCount == 0 else { break }
                layer = nil
                isUnderstood = false
            }
        }
        close()
    }
}

/// Bytes after the end of a request on a connection where no other request is answered.
struct Surplus {
    /// Byte count of the request; the bytes here follow it.
    let requestByteCount: Int
    /// Whether the client itself announced that no other request follows (RFC 9112 §9.3, §9.6).
    let isForbidden: Bool
    private var bytes = UnreadBytes()
    var isNoted = false

    /// Enough bytes to distinguish a request from other bytes.
    private static let keptLimit = 16 << 10

    init(behind head: RequestHead, byteCount: Int) {
        requestByteCount = byteCount
        isForbidden = !head.keepsConnection
    }

    mutating func append(_ bytes: Span<UInt8>) { self.bytes.append(bytes, keeping: Self.keptLimit) }

    /// Whether more bytes would change nothing.
    var isDecided: Bool {
        guard case .request = Reading(bytes.kept) else { return false }
        return true
    }

    /// The violations; empty where nothing came.
    ///
    /// A request that the client may have sent before it knew of the end is noted, but is no fault: a client that
    /// pipelines has to ask again (RFC 9112 §9.3.2).
    var violations: [Violation] {
        guard !bytes.isEmpty else { return [] }
        switch Reading(bytes.kept) {
        case .emptyLines(let violations):
            return violations.map { Violation($0.kind, at: requestByteCount + $0.offset, detail: $0.detail) }
        case .request(let offset):
            return [Violation(isForbidden ? .requestAfterClose : .unansweredRequest, at: requestByteCount + offset)]
        case .other(let offset):
            guard isForbidden || !RequestStart.isPlausible(bytes.kept[offset...]) else {
                return [Violation(.unansweredRequest, at: requestByteCount + offset)]
            }
            return [
                .surplus(bytes.kept[offset...], at: requestByteCount + offset, byteCount: bytes.byteCount - offset)
            ]
        }
    }

    private enum Reading {
        case emptyLines([Violation])
        case request(Int)
        /// No head; the offset of the bytes after empty lines.
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

/// Checks whether bytes can be the beginning of a request.
enum RequestStart {
    /// True for a standard method, or a prefix of one; the method may be followed by a space and a prefix of a target.
    static func isPlausible(_ bytes: ArraySlice<UInt8>) -> Bool {
        let word = bytes.prefix { $0 != 0x20 }
        guard word.count < bytes.count else { return methods.contains { $0.starts(with: word) } }
        guard methods.contains(where: { $0.elementsEqual(word) }) else { return false }
        guard let next = bytes.dropFirst(word.count + 1).first else { return true }
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "*") || next == UInt8(ascii: "[")
            || next.isASCIILetter || next.isASCIIDigit
    }

    /// The meaning of bytes that arrive where the content of a request may be omitted.
    enum CredentialFinding {
        /// Another request: a request line with a registered method, or with that of the request before.
        case request
        case other
        /// The bytes may become a request line.
        case undecided
    }

    private static let lineLimit = 16 << 10

    static func finding(_ bytes: ArraySlice<UInt8>, after method: ArraySlice<UInt8>) -> CredentialFinding {
        let isOfMethod = { bytes.starts(with: method + [0x20]) || method.starts(with: bytes) }
        guard isPlausible(bytes) || isOfMethod() else { return .other }
        guard let end = bytes.firstIndex(of: 0x0A) else { return bytes.count < lineLimit ? .undecided : .other }
        let words = bytes[..<end].split(separator: 0x20).map { $0.filter { $0 != 0x0D } }
        return words.count == 3 && words[2].starts(with: Array("HTTP/".utf8)) ? .request : .other
    }

    private static let methods = RegisteredMethods.names.map { Array($0.utf8) }
}

extension Violation {
    static func surplus(_ bytes: ArraySlice<UInt8>, at offset: Int, byteCount: Int) -> Violation {
        Violation(.bytesAfterRequest, at: offset, detail: Array(bytes.prefix(64)), bound: byteCount)
    }
}
