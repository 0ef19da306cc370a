import ProctorBase
import ProctorHTTP
import ProctorHTTP3
import ProctorQUIC
import ProctorQUICLink

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

    /// The owner of what happens on a new connection.
    static func accept(
        _ connection: any QUICLink & HTTP3Carrier, _ seen: SeenEvents, _ context: QUICServerContext
    ) -> HTTP3Handler {
        let server = SmallServer(seen)
        let session = HTTP3Session(over: connection) { event, session in server.handle(event, session) }
        return HTTP3Handler(session, context: context) { event, _ in
            switch event {
            case .handshakeCompleted(let agreement): seen.append("opened \(agreement.serverName ?? "-")")
            case .ended(let end): seen.append("ended \(text(end))")
            default: break
            }
        }
    }

    private func handle(_ event: HTTP3Event, _ session: HTTP3Session) {
        switch event {
        case .head(let stream, let block):
            paths[stream] = String(decoding: block.check.path ?? [], as: UTF8.self)
            seen.append("\(String(decoding: block.check.method ?? [], as: UTF8.self)) \(paths[stream] ?? "")")
        case .content(let stream, let bytes): counts[stream, default: 0] += bytes.count
        case .end(let stream): answer(stream, session)
        case .reset(let stream, let code): seen.append("reset \(stream) \(code)")
        case .stop(let stream, let code): seen.append("stopped \(stream) \(code)")
        case .violation(let violation): seen.append("violation \(violation)")
        default: break
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
        case "/reset": session.carrier.reset(stream, code: HTTP3Code.internalError.rawValue)
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
        session.sendContent(content[...], on: stream, ends: true)
    }
}
