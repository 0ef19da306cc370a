internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorRecorder
package import ProctorReference
package import ProctorTrace

/// The content of a step's request, in the form the program wants; made once for a step.
package struct StepBody: Sendable {
    /// What the request is given.
    package let body: ProctorReference.RequestBody
    private let file: URL?

    /// Writes a file where the program wants the body from one; ``cleanUp()`` removes it.
    package init(_ step: Assignment.Step) throws {
        guard step.body != nil || step.task == "upload" else {
            body = .none
            file = nil
            return
        }
        switch step.bodyForm {
        case "file":
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
            try Data(Self.content(of: step)).write(to: url)
            body = .file(path: url.path)
            file = url
            return
        case "stream", "bound-pair": body = .streamOnDemand
        case "http-body-stream": body = .stream(Self.stream(of: step))
        default: body = .bytes(Self.content(of: step))
        }
        file = nil
    }

    /// To be called when nobody can need it any more.
    package func cleanUp() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    /// A fresh stream that nobody has read from; of a bound pair the pieces come from another thread.
    static func stream(of step: Assignment.Step) -> BodyStream {
        let content = content(of: step)
        guard step.bodyForm == "bound-pair" else { return BodyStream(content) }
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
