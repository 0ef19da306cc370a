import ProctorBase
import ProctorHTTP
import ProctorHTTP3
import ProctorQUIC

/// What the server of these tests saw, in order; any thread may look.
final class SeenEvents: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// What is done with the requests of one connection.
///
/// It answers `/bytes/N` with so many bytes, `/reset` with RESET_STREAM, `/close` with CONNECTION_CLOSE, `/silent` not at
/// all, and everything else with the count of bytes that came.
final class SmallServer {
    private var paths: [UInt64: String] = [:]
    private var counts: [UInt64: Int] = [:]
    private let seen: SeenEvents

    init(_ seen: SeenEvents) { self.seen = seen }

    /// The session of a new connection.
    static func accept(_ connection: QUICConnection, _ seen: SeenEvents) -> HTTP3Session {
        let server = SmallServer(seen)
        return HTTP3Session(connection) { event, session in server.handle(event, session) }
    }

    private func handle(_ event: HTTP3SessionEvent, _ session: HTTP3Session) {
        switch event {
        case .opened(let host): seen.append("opened \(host ?? "-")")
        case .http(.head(let stream, let block)):
            paths[stream] = String(decoding: block.check.path ?? [], as: UTF8.self)
            seen.append("\(String(decoding: block.check.method ?? [], as: UTF8.self)) \(paths[stream] ?? "")")
        case .http(.content(let stream, let bytes)): counts[stream, default: 0] += bytes.count
        case .http(.end(let stream)): answer(stream, session)
        case .http(.reset(let stream, let code)): seen.append("reset \(stream) \(code)")
        case .http(.stop(let stream, let code)): seen.append("stopped \(stream) \(code)")
        case .http(.violation(let violation)): seen.append("violation \(violation)")
        case .http, .acknowledged, .streamClosed: break
        case .ended(let end): seen.append("ended \(Self.text(end))")
        }
    }

    private static func text(_ end: QUICEnd) -> String {
        func text(_ close: QUICClose) -> String {
            let reason = close.reason.isEmpty ? "" : " " + String(decoding: close.reason, as: UTF8.self)
            return
                "(\(close.isOfApplication ? "application" : "transport") 0x\(String(close.code, radix: 16))\(reason))"
        }
        return switch end {
        case .closedByPeer(let close): "closedByPeer\(text(close))"
        case .closedByUs(let close): "closedByUs\(text(close))"
        default: "\(end)"
        }
    }

    private func answer(_ stream: UInt64, _ session: HTTP3Session) {
        let path = paths[stream] ?? ""
        switch path {
        case "/reset": session.connection.reset(stream, code: HTTP3Code.internalError.rawValue)
        case "/close": session.close(.noError, reason: "as asked")
        case "/silent": break
        case _ where path.hasPrefix("/bytes/"):
            send([UInt8](repeating: 0x78, count: Int(path.dropFirst(7)) ?? 0), on: stream, session)
        default: send(Array("\(counts[stream] ?? 0) bytes\n".utf8), on: stream, session)
        }
    }

    private func send(_ content: [UInt8], on stream: UInt64, _ session: HTTP3Session) {
        session.sendFields(
            [HeaderField(":status", "200"), HeaderField("content-length", "\(content.count)")], on: stream)
        session.sendContent(content, on: stream, ends: true)
    }
}
