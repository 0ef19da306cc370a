import ProctorCoding
import ProctorScenario

/// The bytes that a scenario serves, before and after it changed, and words for what a client made of them.
struct RangeContent {
    private let old: [UInt8]
    private let new: [UInt8]

    /// What most scenarios of the family serve.
    static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    init(_ scenario: Scenario) throws {
        let replies = scenario.exchanges.flatMap(\.replies)
        old = try replies.first.flatMap(Self.whole) ?? Self.alphabet
        new = try replies.last.flatMap(Self.whole) ?? old
    }

    /// The first bytes of what is served first.
    func beginning(_ count: Int) -> [UInt8] { Array(old.prefix(count)) }

    /// What a file holds, in words that a table can compare.
    func account(of file: [UInt8]?) -> String {
        guard let file else { return "none" }
        if file.isEmpty { return "empty" }
        if file == old { return "whole" }
        if file == new { return "the new one" }
        if old.starts(with: file) { return "the first \(file.count)" }
        if old.suffix(file.count).elementsEqual(file) { return "the last \(file.count)" }
        if old.count < 100, let start = old.indices.first(where: { old[$0...].starts(with: file) }) {
            return "\(start)-\(start + file.count - 1)"
        }
        if isMixed(file) { return "half old, half new" }
        return "other bytes"
    }

    /// Whether it begins as the old file and ends as the new one.
    private func isMixed(_ file: [UInt8]) -> Bool {
        guard file.count == new.count else { return false }
        let oldCount = zip(file, old).prefix { $0 == $1 }.count
        let newCount = zip(file.reversed(), new.reversed()).prefix { $0 == $1 }.count
        return oldCount > 0 && newCount > 0 && oldCount + newCount >= file.count
    }

    /// The content of a reply with status 200, coded as it is sent; nil for others.
    private static func whole(_ reply: Reply) throws -> [UInt8]? {
        guard case .structured(let message) = reply.message, message.status == 200 else { return nil }
        let context = TemplateContext(base: [], authorities: [])
        let bytes = try message.body.flatMap { piece in
            if case .bytes(let source) = piece { try source.bytes(in: context) } else { [UInt8]() }
        }
        guard case .apply(let steps) = message.coding?.plan else { return bytes }
        return try CodingEncoder.encode(bytes, steps: steps)
    }
}
