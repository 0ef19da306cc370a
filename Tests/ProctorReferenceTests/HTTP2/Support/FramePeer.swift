import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorLoop
import Testing

@testable import ProctorReference

/// The server's end of a connection of HTTP/2, frame by frame; its script says every frame that it sends.
final class FramePeer: @unchecked Sendable {
    let peer: Peer
    private var reader = FrameReader(expectsPreface: true)
    private let decoder: HeaderDecoder
    private let encoder: HeaderEncoder
    private var unread: [ReadFrame] = []
    /// Requests that came while another type was waited for.
    private var heads: [Frame] = []
    /// Every frame that was read, in order.
    private(set) var frames: [Frame] = []

    struct Request {
        let stream: UInt32
        let fields: [HeaderField]
        let endsStream: Bool

        subscript(name: String) -> String? {
            fields.first { $0.name == Array(name.utf8) }.map { String(decoding: $0.value, as: UTF8.self) }
        }

        var names: [String] { fields.map { String(decoding: $0.name, as: UTF8.self) } }
    }

    init(_ peer: Peer) throws {
        self.peer = peer
        decoder = try #require(HeaderDecoder())
        encoder = try #require(HeaderEncoder())
    }

    /// Sends SETTINGS.
    func greet(_ settings: [Setting] = []) async throws { try await send(.settings(settings)) }

    func send(_ frames: Frame...) async throws {
        var bytes: [UInt8] = []
        for frame in frames { FrameWriter.append(frame, to: &bytes) }
        try await peer.send(bytes)
    }

    /// Sends a field section.
    func sendHead(_ fields: [(String, String)], on stream: UInt32, endsStream: Bool = false) async throws {
        let block = try #require(encoder.encode(fields.map { HeaderField($0.0, $0.1) }))
        try await send(.headers(block.bytes, on: stream, endsStream: endsStream))
    }

    /// Sends a whole reply.
    func reply(
        on stream: UInt32, _ status: Int = 200, fields: [(String, String)] = [], _ content: String = "page"
    ) async throws {
        try await sendHead([(":status", "\(status)")] + fields, on: stream, endsStream: content.isEmpty)
        if !content.isEmpty { try await send(.data(content.utf8, on: stream, endsStream: true)) }
    }

    /// The next frame; throws `Peer.Ended` at the end of the connection.
    func next() async throws -> Frame {
        while unread.isEmpty {
            let found: [ReadFrame]? = try await peer.socket.read(within: patience) { bytes in
                var found: [ReadFrame] = []
                var position = 0
                while let part = reader.next(bytes, at: &position) {
                    switch part {
                    case .frame(let frame): found.append(frame)
                    case .preface: continue
                    case .notHTTP2(let violation): Issue.record("\(violation)")
                    }
                }
                return found
            }
            guard let found else { throw Peer.Ended(unread: []) }
            unread += found
        }
        let frame = unread.removeFirst().frame
        frames.append(frame)
        return frame
    }

    /// The next frame of a type; the others are read over, but requests are kept.
    func next(_ type: FrameType) async throws -> Frame {
        if type == .headers, !heads.isEmpty { return heads.removeFirst() }
        while true {
            let frame = try await next()
            if frame.type == type { return frame }
            if frame.type == .headers { heads.append(frame) }
        }
    }

    /// The next request's head, which these tests keep short enough for one frame.
    func request() async throws -> Request {
        let frame = try await next(.headers)
        let read = ReadFrame(sent: frame, at: 0)
        guard case .headers(let range, _, _)? = read.content else {
            throw Peer.Ended(unread: [])
        }
        let section = try decoder.decode(Array(frame.payload[range]))
        return Request(stream: frame.stream, fields: section.fields, endsStream: frame.endsStream)
    }

    /// nil when the client has left.
    func requestOrEnd() async throws -> Request? {
        do {
            return try await request()
        } catch is Peer.Ended {
            return nil
        } catch let error as SocketError where error != .timedOut {
            return nil
        }
    }

    /// The content of a stream, up to END_STREAM, with the windows kept open.
    func content(of stream: UInt32) async throws -> [UInt8] {
        var content: [UInt8] = []
        while true {
            let frame = try await next(.data)
            guard frame.stream == stream else { continue }
            content += frame.payload
            if frame.endsStream { return content }
            if !frame.payload.isEmpty {
                let count = UInt32(frame.payload.count)
                try await send(.windowUpdate(count), .windowUpdate(count, on: stream))
            }
        }
    }

    /// Answers requests with `page` until the client leaves.
    func answerAll() async throws {
        while let request = try await requestOrEnd() { try await reply(on: request.stream) }
    }

    /// The code of a RST_STREAM or GOAWAY.
    static func code(of frame: Frame) -> ErrorCode? {
        switch ReadFrame(sent: frame, at: 0).content {
        case .resetStream(let code), .goAway(_, let code, _): code
        default: nil
        }
    }
}

extension TransportBench {
    /// A server that speaks HTTP/2 in the clear; it has sent its SETTINGS before `script` plays.
    static func runFrames<Result: Sendable>(
        limits: TransportLimits = TransportLimits(), settings: [Setting] = [],
        _ script: @escaping @Sendable (FramePeer) async throws -> Void,
        _ body: @escaping @Sendable (TransportBench) async throws -> Result
    ) async throws -> Result {
        try await run(limits: limits) { peer in
            let frames = try FramePeer(peer)
            try await frames.greet(settings)
            try await script(frames)
        } _: { bench in
            try await body(bench)
        }
    }

    /// Loads over HTTP/2.
    @discardableResult
    func loadFrames(
        _ request: ClientRequest, for host: RecordingHost = RecordingHost(), fault: StreamFault? = nil
    ) async -> RecordingHost {
        await load(request, for: host, speaksHTTP2: true, fault: fault.map { .http2($0) })
    }
}
