import Foundation
import ProctorHTTP
import ProctorProgram
import ProctorScenario

extension ByteSource {
    /// The bytes with all templates bound.
    func bytes(in context: TemplateContext) throws -> [UInt8] {
        switch self {
        case .literal(let bytes): bytes
        case .template(let template): template.rendered(in: context)
        case .file(let file): [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
        case .repeated(let unit, let byteCount): Self.repeated(unit, byteCount)
        case .pattern(let pattern, let byteCount): (0..<byteCount).map { pattern.byte(at: $0) }
        }
    }

    /// By copies of what is there already, since a debug build takes long for each byte.
    private static func repeated(_ unit: [UInt8], _ byteCount: Int) -> [UInt8] {
        var bytes = unit
        while bytes.count < byteCount { bytes += bytes }
        return Array(bytes.prefix(byteCount))
    }
}
