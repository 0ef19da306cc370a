import ProctorEvents
import ProctorNotation

extension ReaderRunner {
    static let notation: [String: DataReader] = [
        // An expression of a lane, `task` without one. Words: a lane, `caret`, `words`, `ambient`, `bounds EVENT`,
        // `without EVENT`.
        "notation": .whole { input, block in try NotationLines.read(String(decoding: input, as: UTF8.self), block) },
        // `EXPRESSION <- TRACE, TRACE`, also with `with AMBIENT` behind the expression; `-` is a trace without events. Words:
        // a lane, `lacking EVENT` (which the lane can't tell), `ignoring`, `terminal EVENT`.
        "accepts": .whole { input, block in try NotationLines.accepts(String(decoding: input, as: UTF8.self), block) },
        // The same with one trace, in full.
        "diagnosis": .whole { input, block in try NotationLines.diagnosis(String(decoding: input, as: UTF8.self), block)
        },
        // `LANE EVENT after LANE EVENT`. Words: `words`.
        "edge": .whole { input, block in
            let text = String(decoding: input, as: UTF8.self)
            do throws(NotationError) {
                let edge = try CausalEdge(parsing: text)
                guard edge.text == text else { return ["another text"] }
                if block.has("words") { return [edge.inWords] }
                return [edge.later, edge.earlier].map { "\($0.lane) \($0.symbol) number \($0.count)" }
            } catch {
                return NotationLines.error(error, text, block)
            }
        },
    ]
}

/// What parsers and matchers of expressions say.
enum NotationLines {
    static func lane(_ block: Block) -> Lane { block.words.lazy.compactMap { Lane(rawValue: $0) }.first ?? .task }

    static func error(_ error: NotationError, _ text: String, _ block: Block) -> [String] {
        guard error.text == text, error.offset <= text.utf8.count, error.caretLines.contains("^") else {
            return ["an error beyond the text: \(error)"]
        }
        let lines = ["at \(error.offset): \(error.sentence)"]
        guard block.has("caret") else { return lines }
        return lines + ["line \(error.line), column \(error.column)"]
            + error.caretLines.split(separator: "\n").map { "|\($0)" }
    }

    static func read(_ text: String, _ block: Block) throws -> [String] {
        do throws(NotationError) {
            let notation = try Notation(parsing: text, lane: lane(block))
            if block.has("ambient") { try notation.checkAsAmbient() }
            if block.has("words") { return words(notation.inWords, depth: 0) }
            if let event = block.value(of: "bounds") {
                return [
                    "\(notation.fewestOccurrences(of: event)) to "
                        + (notation.mostOccurrences(of: event).map { "\($0)" } ?? "any number")
                ]
            }
            if let event = block.value(of: "without") {
                return [(notation.isPossible(without: [event]) ? "possible" : "impossible")]
                    + (notation.isPossible(without: []) ? [] : ["impossible without nothing"])
            }
            return ["fine"]
        } catch {
            return Self.error(error, text, block)
        }
    }

    private static func words(_ parts: [NotationWords], depth: Int) -> [String] {
        parts.flatMap { part in
            [String(repeating: "  ", count: depth) + part.text + (part.isOrdered ? " (ordered)" : "")]
                + words(part.parts, depth: depth + 1)
        }
    }

    // MARK: Traces

    /// `response(200) data×3 complete(ok)`; `_` in an argument is a blank.
    private static func trace(_ text: some StringProtocol) -> [TraceEventSymbol] {
        if text.allSatisfy({ $0 == "-" || $0 == " " }) { return [] }
        return text.split(separator: " ").flatMap { word -> [TraceEventSymbol] in
            let parts = word.split(separator: "×")
            let count = parts.count == 2 ? Int(parts[1]) ?? 0 : 1
            let event = parts[0].split(separator: "(", maxSplits: 1)
            let argument = event.count == 2 ? String(event[1].dropLast()).replacing("_", with: " ") : nil
            return Array(repeating: TraceEventSymbol(String(event[0]), argument), count: count)
        }
    }

    private struct Given {
        let notation: Notation
        let ambient: Notation?
        let traces: String

        init(_ text: String, _ block: Block) throws {
            guard let arrow = text.firstRange(of: "<-") else { throw TextError("expected EXPRESSION <- TRACE") }
            let parts = text[..<arrow.lowerBound].split(separator: " with ", maxSplits: 1)
            var expression = String(parts[0])
            while expression.last?.isWhitespace == true { expression.removeLast() }
            var notation = try Notation(parsing: expression, lane: NotationLines.lane(block))
            if let lacking = block.value(of: "lacking") {
                let other = notation.allowingAbsence { $0.name == lacking }
                guard other == notation, other.eventNames == notation.eventNames else {
                    throw TextError("another text")
                }
                notation = other
            }
            self.notation = notation
            ambient = parts.count > 1 ? try Notation(parsing: String(parts[1]), lane: .task) : nil
            traces = text[arrow.upperBound...].split(separator: "\r\n").joined(separator: " ")
        }

        func diagnosis(of text: some StringProtocol, _ block: Block) -> NotationDiagnosis? {
            let events = NotationLines.trace(text)
            if block.has("ignoring") {
                return notation.diagnosis(of: events, ambient: ambient, ignoring: EventVocabulary.ambientNames)
            }
            if let terminal = block.value(of: "terminal") {
                return notation.diagnosis(of: events, ambient: ambient, terminals: [terminal, "complete"])
            }
            return notation.diagnosis(of: events, ambient: ambient)
        }
    }

    static func accepts(_ text: String, _ block: Block) throws -> [String] {
        let given = try Given(text, block)
        var lists: [Bool: [String]] = [:]
        for trace in given.traces.split(separator: ", ") {
            let trace = trace.drop { $0 == " " }
            lists[given.diagnosis(of: trace, block) == nil, default: []].append(String(trace))
        }
        return [(true, "accepts "), (false, "refuses ")].compactMap { key, word in
            lists[key].map { word + $0.joined(separator: ", ") }
        }
    }

    static func diagnosis(_ text: String, _ block: Block) throws -> [String] {
        let given = try Given(text.replacing("\r\n", with: "\n"), block)
        guard let diagnosis = given.diagnosis(of: given.traces, block) else { return ["none"] }
        return diagnosis.lines(note: block.value(of: "note")).map { "|\($0)" } + [
            "sentence: \(diagnosis.sentence)",
            "wanted at " + diagnosis.wanted.map { "\($0.offsets)" }.joined(separator: " ")
                + (diagnosis.endIsWanted ? " or the end" : ""),
            "missing "
                + diagnosis.missing.map {
                    "\($0.description)\($0.isAmbient ? " ambient" : "")"
                        + ($0.turns.map { " turns \($0)" } ?? "") + ($0.total.map { " of \($0)" } ?? "")
                }.joined(separator: ", "),
            "\(diagnosis.hiddenGroupCount) hidden",
        ]
    }
}
