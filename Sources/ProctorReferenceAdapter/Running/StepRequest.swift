internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorHTTP
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// A step as a request.
enum StepRequest {
    /// `body` comes from ``StepBody``; the URL is read as what a person typed, and is that of the main document.
    ///
    /// Where it is none, the load says so.
    static func make(
        _ step: Assignment.Step, body: ProctorReference.RequestBody, in setup: SessionSetup = SessionSetup()
    ) -> ClientRequest {
        let fields = step.headers.filter { $0.count == 2 }.map { HTTPField($0[0], $0[1]) }
        var request = ClientRequest(
            method: step.method, typed: step.url, ownSchemes: setup.ownSchemes, fields: fields, body: body)
        request.cachePolicy =
            switch step.cachePolicy {
            case nil, .protocol: .byProtocol
            case .reload: .reload
            case .cacheElseLoad: .cacheElseLoad
            case .cacheOnly: .cacheOnly
            }
        if setup.cookiePolicy == .mainDocument { request.mainDocument = request.url }
        return request
    }
}

/// The content of a step's request, in the form the program wants; made once for a step.
struct StepBody: Sendable {
    /// What the request is given.
    let body: ProctorReference.RequestBody
    private let file: URL?

    /// Writes a file where the program wants the body from one; ``cleanUp()`` removes it.
    init(_ step: Assignment.Step) throws {
        guard step.body != nil || step.task == .upload else {
            body = .none
            file = nil
            return
        }
        switch step.bodyForm {
        case .file:
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
            try Data(Self.content(of: step)).write(to: url)
            body = .file(path: url.path)
            file = url
            return
        case .stream, .boundPair: body = .streamOnDemand
        case .requestStream: body = .stream(Self.stream(of: step))
        case .data: body = .bytes(Self.content(of: step))
        }
        file = nil
    }

    /// To be called when the request is over.
    func cleanUp() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    /// A fresh stream, of which nothing was read; of a bound pair the pieces come from another thread.
    static func stream(of step: Assignment.Step) -> BodyStream {
        let content = content(of: step)
        guard step.bodyForm == .boundPair else { return BodyStream(content) }
        let rest = Locked(content[...])
        return BodyStream {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let piece = rest.withLock { rest in
                        defer { rest = rest.dropFirst(pieceByteCount) }
                        return Array(rest.prefix(pieceByteCount))
                    }
                    continuation.resume(returning: piece.isEmpty ? nil : piece)
                }
            }
        }
    }

    private static let pieceByteCount = 16_384

    private static func content(of step: Assignment.Step) -> [UInt8] { step.body?.content ?? [] }
}
