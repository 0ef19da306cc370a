import Foundation
import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

extension Conversation {
    /// Acts that a block `client` may have too; `reset` is the client's there.
    static let runActs: Set<String> = ["stop", "reports", "reached", "sees", "refuses"]

    /// What is done to the run itself: lines such as `reset`, `stop`, `reached data task 1 times 2`, `sees effect await`.
    mutating func actOnRun(_ block: Block) async throws {
        for (index, line) in block.lines.enumerated() {
            let act = Block(info: line, text: "", line: block.line + index + 1)
            switch act.name {
            case "reset": run.reset()
            case "stop":
                let grace = try act.words.first.map { try LimitWords.duration($0, at: act.line) }
                await run.stop(grace: grace ?? Patience.whole)
            case "stops":
                let (run, server) = (run, act.has("server") ? server : nil)
                stopping = Task {
                    guard let server else { return await run.stop(grace: Patience.whole) }
                    await server.stop(grace: Patience.whole)
                }
            case "stopped": await stopping?.value
            case "reports": run.expectsReports = true
            case "reached":
                guard let event = EventName(rawValue: act.words.first ?? "") else {
                    throw RowError(act.line, "there is no such event")
                }
                let task = try act.number(of: "task") ?? 0
                for _ in 0..<(try act.number(of: "times") ?? 1) { run.reached(event: event, task: task) }
            case "sees":
                let text = act.words.joined(separator: " ")
                let lines = try await run.journal.lines { $0.contains { $0.contains(text) } }
                guard lines.contains(where: { $0.contains(text) }) else {
                    throw RowError(act.line, "the journal never had \"\(text)\":\n" + lines.joined(separator: "\n"))
                }
            case "refuses":
                let base = run.base
                try await onThread { try Wire.waitUntilRefused(by: base) }
            default:
                throw RowError(
                    act.line,
                    "unknown act \"\(act.name)\"; acts are reset, stop, stops, stopped, reports, reached, sees, refuses"
                )
            }
        }
    }

    /// Entries of some events as a journal file has them, but for what is of each: `entries replyBegun`.
    func entryText(_ block: Block) -> String { Self.entries(of: run, block.words).map { $0 + "\n" }.joined() }

    static func entries(of run: Run, _ events: [String]) -> [String] {
        let lines = String(decoding: JournalEncoder().lines(run.journal.snapshot().entries), as: UTF8.self)
        return lines.split(separator: "\n").filter { line in events.contains { line.contains("\"ev\":\"\($0)\"") } }
            .map { ByteText.shortened(String($0.replacing(/^{"seq":\d+,"ns":\d+,/, with: "{"))) }
    }

    /// What each read gives, with room for far more: a line each, up to the end of the connection.
    mutating func pieces(_ block: Block, _ check: inout Check) async throws {
        let talker = try talker(block)
        let pieces = try await onThread { try talker.wire.readPieces() }
        check.expect(block, got: Self.unfill(pieces.map { ByteText.inLine($0) + "\n" }.joined(), check.names))
    }
}
