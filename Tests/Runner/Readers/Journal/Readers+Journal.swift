import Foundation
import ProctorBase
import ProctorEvents
import ProctorHTTP

@testable import ProctorJournal

extension ReaderRunner {
    static let journal: [String: DataReader] = [
        // Lines of a journal, read and written again. Words: `scenario NAME` (the one that is wanted), `as NAME` and `run NAME`
        // (whose lines are written), `cut` (at every place), `header`.
        "journal": .textBytes { input, block in try JournalReading.read(input, block) },
        // Lines of several journals, as parts.
        "journal-parts": .textBytes { input, _ in
            do throws(TraceReadingError) {
                let file = try JournalParts(input, file: "j")
                return file.parts.map { part in
                    "start \(part.start), \(part.scenario ?? "-") \(part.run ?? "-"): "
                        + part.entries.map { "\($0.sequence)" }.joined(separator: ",")
                        + (part.droppedCount == 0 ? "" : ", \(part.droppedCount) dropped")
                } + [
                    "\(file.startCount) starts, \(file.cutCount) cut, \(file.lostLineCount) lost, "
                        + "\(file.unknownCount) unknown"
                ]
            } catch {
                return [error.description]
            }
        },
    ]
}

/// Lines of a journal, read and written again.
enum JournalReading {
    static func read(_ input: [UInt8], _ block: Block) throws -> [String] {
        let lines = lines(of: input, block)
        guard block.has("cut") else { return lines }
        return lines + input.indices.compactMap { cut(input, at: $0, block) }
    }

    private static func lines(of input: [UInt8], _ block: Block) -> [String] {
        let read: JournalLines
        do throws(TraceReadingError) {
            read = try JournalLines(input, file: "j", scenario: block.value(of: "scenario"))
        } catch {
            return [error.description]
        }
        var given = input.split(separator: 0x0A).map { String(decoding: $0.filter { $0 != 0x0D }, as: UTF8.self) }
        var lines = written(read.entries, block).map { line in
            guard (try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil else { return "no JSON: \(line)" }
            guard let index = given.firstIndex(of: line) else { return line }
            given.remove(at: index)
            return "same"
        }
        lines += otherwise(than: read.entries, block).map { "the table would write \($0)" }
        for case .requestHead(let head, _) in read.entries.map(\.event) where !head.violations.isEmpty {
            lines.append("head with " + head.violations.map(\.kind.rawValue).joined(separator: ", "))
        }
        if block.has("header") {
            lines.insert(String(decoding: JournalEncoder.header.dropLast(), as: UTF8.self), at: 0)
        }
        if read.unknownCount > 0 { lines.append("\(read.unknownCount) unknown") }
        if read.droppedCount > 0 { lines.append("\(read.droppedCount) dropped") }
        return lines.isEmpty ? ["nothing"] : lines.counted
    }

    /// Lines that the table of fields writes otherwise than what is written by hand, for the sake of its speed.
    private static func otherwise(than entries: [JournalEntry], _ block: Block) -> [String] {
        let encoder = JournalEncoder(scenario: block.value(of: "as"), run: block.value(of: "run"))
        return entries.compactMap { entry in
            let tabled: [UInt8]? =
                switch entry.event {
                case .requestHead(let head, let target): line(entry, JournalTable.requestHead, (head, target), block)
                case .exchangeChosen(let exchange, let turn):
                    line(entry, JournalTable.exchangeChosen, (exchange, turn), block)
                case .replySent(let status, let count): line(entry, JournalTable.replySent, (status, count), block)
                case .replyBegun(let reply): line(entry, JournalTable.replyBegun, reply, block)
                default: nil
                }
            // From the second line on, short members are copied.
            guard let tabled, (0..<2).contains(where: { _ in encoder.lines([entry]) != tabled }) else { return nil }
            return String(decoding: tabled.dropLast(), as: UTF8.self)
        }
    }

    private static func line<Payload>(
        _ entry: JournalEntry, _ shape: JournalShape<Payload, JournalEvent>, _ payload: Payload, _ block: Block
    ) -> [UInt8] {
        var json = JSONText()
        json.open("{")
        JournalTable.line.write(
            JournalLineStart(
                sequence: entry.sequence, nanoseconds: entry.nanoseconds, scenario: block.value(of: "as"),
                run: block.value(of: "run"), connection: entry.connection, request: entry.request, event: shape.name),
            to: &json)
        shape.write(payload, to: &json)
        json.close("}")
        json.lineEnd()
        return json.bytes
    }

    private static func written(_ entries: [JournalEntry], _ block: Block) -> [String] {
        let encoder = JournalEncoder(scenario: block.value(of: "as"), run: block.value(of: "run"))
        return String(decoding: encoder.lines(entries), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What is wrong where the input ends at a place; it must give the lines before, or an error in the last line.
    private static func cut(_ input: [UInt8], at count: Int, _ block: Block) -> String? {
        let part = Array(input[..<count])
        let wholeLines = part.count { $0 == 0x0A }
        do throws(TraceReadingError) {
            let read = try JournalLines(part, file: "j")
            let isThere = written(read.entries, block).allSatisfy {
                String(decoding: input, as: UTF8.self).contains($0)
            }
            return isThere && read.entries.count >= wholeLines - 1 ? nil : "cut at \(count) other entries"
        } catch {
            return error.location.line == wholeLines + 1 ? nil : "cut at \(count) another line: \(error)"
        }
    }
}
