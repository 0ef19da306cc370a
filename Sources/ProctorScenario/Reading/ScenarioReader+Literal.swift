import ProctorBase
import ProctorDocument

extension ScenarioReader {
    /// Bytes in any form, made now; `what` is the noun of the message, without an article of its own: `the extra field`.
    func literal(_ node: Node, _ what: String, limit: Int) -> [UInt8]? {
        var scope = TemplateScope(origins: origins, captures: nil, allowsNow: false)
        scope.isLiteral = true
        guard let source = bytes(node, what, scope: scope) else { return nil }
        if let count = source.byteCount, count > limit {
            sink.report(node, "\(what) has \(count) bytes; at most \(limit) are permitted")
            return nil
        }
        guard literals.take(source.byteCount ?? 0) else {
            sink.report(
                node, "all that is made while this file is loaded has more than \(LiteralBudget.byteCount) bytes",
                hint: "make several scenarios of it")
            return nil
        }
        switch source {
        case .literal(let bytes): return bytes
        case .template(let template): return template.literalBytes
        case .repeated(let unit, let byteCount): return Self.repeating(unit, byteCount)
        case .pattern(let pattern, let byteCount): return (0..<byteCount).map { pattern.byte(at: $0) }
        case .file(let file):
            do throws(Diagnostic) {
                let bytes = try FileBytes.read(file.path, limit: limit)
                // What is made of them is part of the plans, so another content is another scenario.
                fingerprint.mix(bytes)
                return bytes
            } catch {
                sink.report(node, "\(quoted(file.path)): \(error.sentence)", hint: error.hint)
                return nil
            }
        }
    }

    private static func repeating(_ unit: [UInt8], _ byteCount: Int) -> [UInt8] {
        var block = unit
        while block.count < min(byteCount, 1 << 16), !block.isEmpty { block += block }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        while bytes.count < byteCount, !block.isEmpty { bytes += block.prefix(byteCount - bytes.count) }
        return bytes
    }
}
