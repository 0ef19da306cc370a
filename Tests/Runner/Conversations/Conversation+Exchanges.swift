import Foundation
import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

/// How the rows of a block `exchanges` or `variants` are asked and told.
struct ExchangeForm: Sendable {
    /// The journal's lines of the connection stand behind the bytes.
    let tellsJournal: Bool
    /// Status and content alone.
    let isBrief: Bool
    /// The client does not send FIN behind its request, so the server has to end the connection.
    let stays: Bool

    /// Bytes of a write; nil: all at once.
    let size: Int?
    /// Content is decoded, and a length that it has as it came is told as such.
    let decodes: Bool
    /// Requests and replies are hexadecimal.
    let isHexadecimal: Bool
    /// What each read gives, with `|` between them.
    let isInPieces: Bool

    init(_ block: Block) throws(RowError) {
        (tellsJournal, isBrief, stays) = (block.has("journal"), block.has("brief"), block.has("stays"))
        size = try block.number(of: "by")
        decodes = block.has("decoded")
        isHexadecimal = block.has("hex")
        isInPieces = block.has("pieces")
    }

    /// What comes for bytes on a connection of their own, and what the journal says of it, in one line.
    func result(of bytes: [UInt8], at base: String, in run: Run, names: [String: String]) async throws -> String {
        let before = lines(of: run).count
        let (received, pieces) = try await onThread { () throws -> (Wire.Received, [[UInt8]]) in
            let wire = try Wire(to: base)
            defer { wire.close() }
            do {
                var rest = bytes[...]
                while !rest.isEmpty {
                    try wire.send(Array(rest.prefix(size ?? bytes.count)))
                    rest = rest.dropFirst(size ?? bytes.count)
                }
            } catch {
                // It may be ended before it has sent all.
            }
            if !stays { wire.finish() }
            let pieces = isInPieces ? try wire.readPieces() : []
            return (try wire.readToEnd(), pieces)
        }
        let bytes = decodes ? try DecodedReply.bytes(received.bytes) : received.bytes
        var text =
            (isInPieces ? pieces.map { ByteText.inLine($0) }.joined(separator: "|") : told(bytes))
            + (received.ending == .closed ? "" : " <\(received.ending)>")
        if tellsJournal {
            var time = LoadAdjustedTime(Talker.patience)
            var added = lines(of: run).dropFirst(before)
            while !added.contains(where: { $0.contains(" closed by ") }), time.nextSlice() != nil {
                try await Task.sleep(for: .milliseconds(1))
                added = lines(of: run).dropFirst(before)
            }
            // That of the client may come before, in or behind a pause.
            text += "; " + added.filter { !$0.hasSuffix(" FIN received") }.joined(separator: "; ")
        }
        return Conversation.unfill(text, names)
    }

    /// The bytes of replies in one line.
    func told(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "(nothing)" }
        if isHexadecimal { return bytes.hexadecimal }
        let blank = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }.map { $0 + 4 }
        let content = blank.map { Self.short(bytes[$0...]) } ?? ""
        guard isBrief else { return blank.map { ByteText.inLine(bytes[..<$0]) + content } ?? Self.short(bytes[...]) }
        let status = String(decoding: bytes.prefix(12).dropFirst(9), as: UTF8.self)
        return status + (content.isEmpty ? "" : " " + content)
    }

    /// Content in one line; of what is very long the hash, which a page compares as well.
    private static func short(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.count < 65_536 {
            let text = ByteText.inLine(bytes)
            if text.utf8.count <= 4_000 { return text }
        }
        return "(\(bytes.count) bytes, SHA-256 \(hash(Array(bytes))))"
    }

    static func hash(_ bytes: [UInt8]) -> String {
        var hash: [UInt8] = []
        OpenSSLHasher().appendHash(.sha256, of: bytes.span, to: &hash)
        return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func lines(of run: Run) -> [String] { tellsJournal ? run.journal.lines : [] }
}

extension Conversation {
    /// What no result is like, so that it is recorded.
    static let unknown = "\u{0}"

    /// `request => reply` in each line: each on a connection of its own, or all on the one that `on N` names.
    mutating func exchanges(_ block: Block, _ check: inout Check) async throws {
        let form = try ExchangeForm(block)
        for (index, line) in block.lines.enumerated() where !line.isEmpty && !line.hasPrefix("# ") {
            let (given, wanted) = line.cut(at: " => ")
            guard wanted != nil || check.isRecording else {
                throw RowError(block.line + index + 1, "expected request => reply")
            }
            let bytes =
                form.isHexadecimal
                ? try ByteText.hexadecimal(given[...])
                : try ShortRequest.bytes(check.fill(given), line: block.line + index + 1)
            let got: String
            if block.has("on") {
                let talker = try talker(block)
                let reply = try await onThread {
                    try talker.wire.send(bytes)
                    return Array(try talker.wire.readReply().utf8)
                }
                got = Conversation.unfill(form.told(reply), check.names)
            } else {
                got = try await form.result(
                    of: bytes, at: place(block.value(of: "to"), at: block.line), in: run, names: check.names)
            }
            check.expect(block, line: index, given: given, wanted: wanted ?? Self.unknown, got: got)
        }
    }
}
