import Foundation
import ProctorBase
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

extension Conversation {
    /// `REQUEST until LINE => JOURNAL` in each line: a client asks on a connection of its own, waits until the journal has a line
    /// of it with that text, and leaves; the journal's lines behind it are told, up to the end of the connection.
    ///
    /// Words: `close`, `reset`, or frames of HTTP/2 with dots for blanks (`RST_STREAM.1.CANCEL`); `through HOST` in a tunnel.
    mutating func leave(_ block: Block, _ check: inout Check) async throws {
        for (index, line) in block.lines.enumerated() where !line.isEmpty {
            let number = block.line + index + 1
            let (given, wanted) = line.cut(at: " => ")
            let (request, until) = given.cut(at: " until ")
            guard let until, wanted != nil || check.isRecording else {
                throw RowError(number, "expected REQUEST until LINE => JOURNAL")
            }
            let before = run.journal.snapshot().entries.count
            let leaving = Leaving(block: block, host: block.value(of: "through"))
            let place = leaving.host == nil ? run.base : "http://\(run.namesProxy ?? "")"
            let (wire, frames) = try await onThread { try leaving.begin(request, at: place, line: number) }
            let begun = try await lines(since: before, at: number) { $0.contains { $0.contains(until) } }
            let behind = (begun.firstIndex { $0.contains(until) } ?? 0) + 1
            try await onThread { try leaving.end(wire, frames, line: number) }
            let ends = leaving.host == nil ? 1 : 2
            let staysOpen = !block.has("close") && !block.has("reset")
            let all = try await lines(since: before, at: number) { lines in
                staysOpen
                    ? lines.dropFirst(behind).contains { $0.contains(" aborted ") || $0.contains(" sent ") }
                    : lines.count { $0.contains(" closed by ") } == ends
            }
            wire.close()
            let told = all.dropFirst(behind).filter { !$0.hasSuffix(" FIN received") }.joined(separator: "; ")
            check.expect(block, line: index, given: given, wanted: wanted ?? Self.unknown, got: told)
        }
    }

    /// The journal's lines, with the beginnings of replies, as soon as they are what is waited for.
    private func lines(
        since count: Int, at line: Int, until isComplete: ([String]) -> Bool
    ) async throws -> [String] {
        var time = LoadAdjustedTime(Talker.patience)
        while true {
            let lines = run.journal.snapshot().entries.dropFirst(count).map(\.line)
            if isComplete(lines) { return lines }
            guard time.nextSlice() != nil else {
                throw RowError(line, "what is waited for never came:\n" + lines.joined(separator: "\n"))
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// How clients of a block leave.
private struct Leaving {
    let block: Block
    let host: String?

    private var isOfHTTP2: Bool { block.has("frames") }

    func begin(_ request: String, at place: String, line: Int) throws -> (Wire, FrameTalker?) {
        let wire = try Wire(to: place)
        if isOfHTTP2 {
            let frames = try FrameTalker(wire)
            try frames.begin([])
            try frames.send([FrameWords.frame(Block(info: request, text: "", line: line), [], frames)])
            return (wire, frames)
        }
        if let host {
            try wire.send("CONNECT \(host):80 HTTP/1.1\r\nHost: \(host):80\r\n\r\n")
            _ = try wire.readHead()
            try wire.send("\(request) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        } else {
            try wire.send(ShortRequest.bytes(request, line: line))
        }
        return (wire, nil)
    }

    func end(_ wire: Wire, _ frames: FrameTalker?, line: Int) throws {
        if block.has("close") {
            wire.close()
        } else if block.has("reset") {
            wire.reset()
        } else if let frames, let last = block.words.last {
            let words = Block(info: last.replacing(".", with: " "), text: "", line: line)
            try frames.send([FrameWords.frame(words, [], frames)])
        }
    }
}
