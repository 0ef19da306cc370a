import Foundation
import ProctorBase
import ProctorEvents

extension ReaderRunner {
    static let traces: [String: DataReader] = [
        // Lines of a trace or of a log, as they stand. Words: `symbols` (on one line), `header`, `line-limit N`, `behind` (a
        // line with an event stands before), `before` (one stands behind).
        "trace": {
            var reader = DataReader.pieces { pieces, block in try TraceLines.read(pieces, block) }
            reader.isText = true
            return reader
        }(),
        // The whole of a trace at once, with families that are found later. Words: `strict`, `behind` (a header).
        "whole-trace": .textBytes { input, block in
            let header = block.has("behind") ? #"{"trace":"proctor","version":1,"lanes":["harness"]}"# + "\n" : ""
            func read(isStrict: Bool) -> [String] {
                do throws(TraceReadingError) {
                    let trace = try Trace(Array(header.utf8) + input, file: "t", isStrict: isStrict)
                    return trace.events.map { TraceLines.line($0) }
                        + (trace.header?.isMonotonic == false ? ["wall"] : [])
                } catch {
                    return [error.description]
                }
            }
            let lines = read(isStrict: block.has("strict"))
            let isPassedOver =
                block.has("strict") && lines.first?.hasPrefix("t:") == true
                && read(isStrict: false).first?.hasPrefix("t:") != true
            return isPassedOver ? lines + ["passed over where nobody is strict"] : lines
        },
        // A trace as it is written again: its header and events, which are read as the same.
        "written-trace": .textBytes { input, _ in
            let trace = try Trace(input, file: "t")
            var bytes = trace.header.map { TraceWriter.line($0) } ?? []
            for event in trace.events { TraceWriter.appendEvent(event, to: &bytes) }
            let again = try Trace(bytes)
            guard again.events == trace.events, again.header == trace.header else { return ["it is read otherwise"] }
            guard bytes == (trace.header.map { TraceWriter.line($0) } ?? []) + trace.events.flatMap(TraceWriter.line)
            else { return ["a line is written in two ways"] }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        },
        // `DOMAIN CODE`, or a name.
        "url-error": .line { text in
            let words = text.split(separator: " ")
            if words.count == 2, let code = Int(words[1]) {
                return URLErrorName.name(domain: String(words[0]), code: code)
            }
            guard let error = URLErrorName.code(named: text) else { return "-" }
            let isSame = URLErrorName.name(domain: error.domain, code: error.code) == text
            return "\(error.domain) \(error.code)" + (isSame ? "" : ", which has another name")
        },
        // A method of authentication, with `proxy` of a proxy.
        "challenge-kind": .whole { input, block in
            [ChallengeKind.name(authenticationMethod: Parts.text(input), isProxy: block.has("proxy"))]
        },
        // `NAME,NAME <- LANE EVENT`, with `exit` behind where it returns: whether a run is told of it. `in LANE,LANE` are those
        // that the client reports.
        "awaited": .whole { input, block in
            let sides = Parts.text(input).components(separatedBy: " <- ")
            let names = sides[0].split(separator: ",").map(String.init)
            let lanes = block.value(of: "in")?.split(separator: ",").compactMap { Lane(rawValue: String($0)) }
            guard let awaited = AwaitedEvents(names, lanes: lanes ?? Lane.allCases) else {
                return ["nothing is awaited"]
            }
            let words = (sides.last ?? "").split(separator: " ").map(String.init)
            guard words.count > 1, let lane = Lane(rawValue: words[0]), let name = EventName(rawValue: words[1]) else {
                throw RowError(block.line, "expected names <- lane event")
            }
            let event = TraceEvent(lane: lane, name: name, phase: words.contains("exit") ? .exit : .enter)
            return [awaited.contains(event) ? "told" : "not told"]
        },
        // Lanes: whether a client that reports those can report what is awaited.
        "can-report": .line { text in
            let lanes = text.split(separator: " ").compactMap { Lane(rawValue: String($0)) }
            return AwaitedEvents.canBeReported(in: lanes) ? "yes" : "no"
        },
        "nearest-name": .text { text, _ in [MethodName.nearestName(to: text) ?? "none"] },
    ]
}

/// All that a reader says of a trace.
enum TraceLines {
    static func read(_ pieces: [[UInt8]], _ block: Block) throws -> [String] {
        var pieces = pieces
        if block.has("behind") { pieces.insert(Array("{\"ev\":\"data\"}\n".utf8), at: 0) }
        if block.has("before") { pieces.append(Array("\n{\"ev\":\"data\"}\n".utf8)) }
        var reader = TraceReader(file: "t.jsonl", lineByteLimit: try block.number(of: "line-limit") ?? 1 << 20)
        var events: [TraceEvent] = []
        var lines: [String] = []
        func add(_ event: TraceEvent) {
            events.append(event)
            if !block.has("symbols") { lines.append(line(event)) }
        }
        for piece in pieces {
            var offset = 0
            while true {
                do throws(TraceReadingError) {
                    guard let event = try reader.next(piece.span, at: &offset) else { break }
                    add(event)
                } catch {
                    lines.append(error.description)
                }
            }
            if offset != piece.count { lines.append("\(piece.count - offset) bytes were left") }
        }
        do throws(TraceReadingError) {
            if let event = try reader.finish() { add(event) }
        } catch {
            lines.append(error.description)
        }
        if block.has("symbols"), !events.isEmpty {
            lines.insert(events.map(\.symbol.description).joined(separator: " "), at: 0)
        }
        if reader.eventCount != events.count { lines.append("another number of events") }
        lines += ends(reader, block)
        return lines.isEmpty ? ["nothing"] : lines
    }

    private static func ends(_ reader: TraceReader, _ block: Block) -> [String] {
        var lines: [String] = []
        if let header = reader.header { lines.append("header \(self.header(header))") }
        if reader.isCut { lines.append("cut") }
        if reader.skippedLineCount > 0 {
            lines.append("\(reader.skippedLineCount) skipped, the first is \(reader.firstSkippedLine ?? 0)")
        }
        if let found = reader.misspelling {
            lines.append("misspelt in line \(found.line): \(found.word), as \(found.nearest)")
        }
        if block.has("lines") {
            lines.append("\(reader.lineCount) lines, format \(reader.format.map { "\($0)" } ?? "-")")
        }
        return lines
    }

    private static func header(_ header: TraceHeader) -> String {
        let parts: [(String, String?)] = [
            ("client", header.client), ("version", header.clientVersion), ("clock", header.isMonotonic ? nil : "other"),
            ("lanes", header.lanes == Lane.allCases ? nil : header.lanes.map(\.rawValue).joined(separator: " ")),
            ("scenario", header.scenario), ("case", header.caseName), ("run", header.run),
            ("facts", header.facts.map { $0.map(\.rawValue).sorted().joined(separator: " ") }),
        ]
        return parts.compactMap { name, value in value.map { "\(name) \(ByteText.inLine($0.utf8))" } }
            .joined(separator: ", ")
    }

    /// `7 task 1 object 2 redirect(302) exit at 81230ns queue D thread t3 sessionData to=/b`.
    static func line(_ event: TraceEvent) -> String {
        var words = ["\(event.sequence)", "\(event.lane.rawValue)"]
        if event.task != 0 { words.append("\(event.task)") }
        if let object = event.object { words.append("object \(object)") }
        words.append(event.name.rawValue + (event.argument.map { "(\(ByteText.inLine($0.utf8)))" } ?? ""))
        if event.phase == .exit { words.append("exit") }
        switch event.time {
        case .monotonic(let time): words.append("at \(time) ns")
        case .elsewhere(let time): words.append("elsewhere at \(time) ms")
        case nil: break
        }
        if let queue = event.queue { words.append("queue " + ByteText.inLine(queue.utf8)) }
        if let thread = event.thread { words.append("thread " + ByteText.inLine(thread.utf8)) }
        if let family = event.family { words.append("\(family.rawValue)") }
        for fact in event.facts {
            let value =
                switch fact.value {
                case .integer(let number): "\(number)"
                case .flag(let flag): "\(flag)"
                case .text(let text): "'\(ByteText.inLine(text.utf8))'"
                }
            words.append("\(fact.key.rawValue)=\(value)")
        }
        return words.joined(separator: " ")
    }
}
