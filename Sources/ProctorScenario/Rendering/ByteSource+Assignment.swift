public import ProctorBase
import ProctorDocument
import ProctorProgram

/// Why a client program cannot be handed to an adapter.
public struct AssignmentFailure: Error, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let sentence: String
    /// Where the body is named; nil where the file does not say.
    public let location: SourceLocation?

    /// The place before the sentence, where it is known.
    public var description: String { location.map { "\($0): \(sentence)" } ?? sentence }
}

extension ByteSource {
    /// Bytes an assignment may carry spelled out; longer bodies are given as a unit and a count.
    static let mostAssignedBytes = 32 << 20

    func assigned(in context: TemplateContext) throws(AssignmentFailure) -> Assignment.Bytes {
        switch self {
        case .literal(let bytes): return .of(bytes)
        case .template(let template): return .of(template.rendered(in: context))
        case .repeated(let unit, let byteCount):
            var bytes = Assignment.Bytes.of(unit)
            bytes.count = byteCount
            return bytes
        case .pattern(let pattern, let byteCount):
            try Self.check(byteCount, nil)
            return .of((0..<byteCount).map { pattern.byte(at: $0) })
        case .file(let file):
            try Self.check(file.byteCount, file.location)
            do throws(Diagnostic) {
                return .of(try FileBytes.read(file.path, limit: Self.mostAssignedBytes))
            } catch {
                throw AssignmentFailure(sentence: error.description, location: file.location)
            }
        }
    }

    private static func check(_ byteCount: Int, _ location: SourceLocation?) throws(AssignmentFailure) {
        guard byteCount > mostAssignedBytes else { return }
        throw AssignmentFailure(
            sentence: "a body of \(byteCount) bytes is too long for a client program; at most \(mostAssignedBytes)",
            location: location)
    }
}

extension Assignment.Bytes {
    /// As text where it is UTF-8 without NUL.
    static func of(_ bytes: [UInt8]) -> Assignment.Bytes {
        if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) { return .init(text: text) }
        return .init(base64: Base64Text.of(bytes))
    }
}
