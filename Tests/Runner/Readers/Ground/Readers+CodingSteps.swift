import Foundation
import ProctorBase
import ProctorCoding

extension ReaderRunner {
    static let codingSteps: [String: DataReader] = [
        // A coding and words, or several with ` + ` between them, in the order in which they are applied: what comes of a text, of a byte and of nothing that are coded so and decoded again, however they are cut.
        // Words: `level N`, `raw`, `wrong-checksum`, `wrong-length`, `missing N`, `trailing HEX`, `zeros N` (behind it), `members
        // A,B`, `name TEXT`, `comment HEX`, `extra HEX`, `extra-zeros N`, `modified N`, `header-checksum`, `undone A,B` (other codings).
        "coding": .line { text in try CodingTrial(text)?.line() ?? "no coding" }
    ]
}

private struct CodingTrial {
    private static let text = Array(
        "the quick brown fox jumps over the lazy dog; the lazy dog jumps over the fox\n".utf8)

    private let steps: [CodingStep]
    private let undone: [ContentCoding]

    /// nil: there is no such coding.
    init?(_ text: String) throws {
        let steps = try text.components(separatedBy: " + ").map(Self.step).compactMap(\.self)
        guard steps.count == text.components(separatedBy: " + ").count else { return nil }
        self.steps = steps
        let names = text.components(separatedBy: " undone ").dropFirst().first?.split(separator: ",")
        undone = names?.compactMap { ContentCoding(name: String($0)) } ?? steps.map(\.coding)
    }

    private static func step(_ text: String) throws -> CodingStep? {
        let words = text.split(separator: " ").map(String.init)
        guard let coding = ContentCoding(name: words.first ?? "") else { return nil }
        func value(_ word: String) -> String? {
            words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
        }
        func bytes(_ word: String) throws -> [UInt8]? { try value(word).map { try ByteText.hexadecimal($0[...]) } }
        let zeros = [UInt8](repeating: 0, count: value("zeros").flatMap { Int($0) } ?? 0)
        return CodingStep(
            coding, level: value("level").flatMap { Int($0) },
            gzip: GzipShape(
                memberSizes: value("members")?.split(separator: ",").compactMap { Int($0) } ?? [],
                name: try bytes("name-bytes") ?? value("name").map { Array($0.utf8) }, comment: try bytes("comment"),
                extra: try value("extra-zeros").map { [UInt8](repeating: 0, count: Int($0) ?? 0) } ?? bytes("extra"),
                modified: value("modified").flatMap { UInt32($0) } ?? 0,
                hasHeaderChecksum: words.contains("header-checksum"), hasWrongLength: words.contains("wrong-length")),
            isRaw: words.contains("raw"), hasWrongChecksum: words.contains("wrong-checksum"),
            missingByteCount: value("missing").flatMap { Int($0) } ?? 0, trailing: try bytes("trailing") ?? zeros)
    }

    func line() throws -> String {
        do throws(CodingFailure) {
            _ = try EncodingChain(steps)
            _ = try DecodingChain(undone)
            for step in steps { try step.check() }
        } catch { return "refused \(error.kind): \(error)" }
        var outcomes: [String] = []
        for content in [Self.text, [0], []] { outcomes.append(try outcome(of: content)) }
        // What is damaged is told of the text alone.
        guard outcomes[0] == "comes back" else { return outcomes[0] }
        return outcomes.first { $0 != "comes back" } ?? "comes back"
    }

    private struct Decoded: Equatable {
        var content: [UInt8] = []
        var kind: CodingFailure.Kind?
        var offset = 0
    }

    private func decode(_ pieces: [[UInt8]]) throws -> Decoded {
        var chain = try DecodingChain(undone)
        var decoded = Decoded()
        do throws(CodingFailure) {
            for piece in pieces {
                var offset = 0
                while try chain.decode(piece.span, at: &offset, into: &decoded.content) {}
            }
            try chain.finish()
        } catch { (decoded.kind, decoded.offset) = (error.kind, error.offset) }
        return decoded
    }

    private func outcome(of content: [UInt8]) throws -> String {
        let coded = try CodingEncoder.encode(content, steps: steps)
        var encoder = try EncodingChain(steps)
        var bytewise: [UInt8] = []
        for byte in content { try encoder.encode([byte].span, into: &bytewise) }
        try encoder.finish(into: &bytewise)
        guard bytewise == coded else { return "other bytes where the content comes byte by byte" }
        let whole = try decode([coded])
        guard 0...coded.count ~= whole.offset else { return "a failure outside of the bytes" }
        let cuts = [coded.map { [$0] }] + (0...coded.count).map { [Array(coded[..<$0]), Array(coded[$0...])] }
        for pieces in cuts {
            let decoded = try decode(pieces)
            guard decoded.content == whole.content, decoded.kind == whole.kind else {
                return "\(decoded) in pieces of \(pieces.map(\.count))"
            }
        }
        if let kind = whole.kind {
            let isAll = whole.content == content
            guard isAll || content.starts(with: whole.content) else { return "\(kind), behind other content" }
            return "\(kind), behind \(isAll ? "all content" : "a beginning of the content")"
        }
        guard whole.content == content else { return "other content" }
        return try earlyEnds(of: coded, content) ?? "comes back"
    }

    /// What is not refused as cut off; of several members only within the first.
    private func earlyEnds(of coded: [UInt8], _ content: [UInt8]) throws -> String? {
        guard let step = steps.first, steps.count == 1, step.coding != .identity, content == Self.text,
            step.trailing.isEmpty
        else { return nil }
        for count in 0..<(step.gzip.memberSizes.isEmpty ? coded.count : 10) {
            let decoded = try decode([Array(coded.prefix(count))])
            guard decoded.kind == .truncated, decoded.offset == count, content.starts(with: decoded.content) else {
                return "the first \(count) bytes give \(decoded)"
            }
        }
        return nil
    }
}
