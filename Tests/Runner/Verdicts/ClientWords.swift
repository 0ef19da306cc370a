import ProctorEvents
import ProctorProgram
import ProctorScenario

@testable import ProctorGrading

/// What is known of a client besides its trace, a line each: `lanes task harness`, `ending crashed SIGILL: last line`.
struct ClientWords {
    var lanes: Set<Lane>?
    var facts: Set<FactKey>?
    var abilities: Set<Ability>?
    var ending = ClientEnding.finished
    var isPartial = false
    var hasOtherClock = false
    var droppedCount = 0
    var base: String?
    /// The end of a command without a trace; `result ok`, or the name of its error.
    var result: CommandResult?
    var milliseconds: Int?
    var spending: ClientSpending?
    /// Of the assignment: hosts as `NAME:PORT=ADDRESS`, their proxy, and the scheme of each authority behind `base`.
    var names: [Assignment.NamedHost] = []
    var namesProxy: String?
    var schemes: [Origin.Scheme] = []
    /// Why what was left undone shows nothing, by the control: `no-cookie no cookie came back`.
    var failedControls: [ControlKind: String] = [:]

    init() {}

    init(_ text: String, line: Int) throws(RowError) {
        for (index, line) in zip((line + 1)..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let name = words.first else { continue }
            try take(name, words.count > 1 ? words[1] : "", at: index)
        }
    }

    private mutating func take(_ name: String, _ rest: String, at line: Int) throws(RowError) {
        switch name {
        case "lanes": lanes = try Self.set(rest, line)
        case "facts": facts = try Self.set(rest, line)
        case "abilities": abilities = try Self.set(rest, line)
        case "ending":
            let bytes = try ByteText.bytes(inLine: rest, line: line)
            ending = try Self.ending(String(decoding: bytes, as: UTF8.self), line)
        case "log": isPartial = true
        case "other-clock": hasOtherClock = true
        case "dropped": droppedCount = Int(rest) ?? 0
        case "base": base = rest
        case "result": result = CommandResult(error: rest == "ok" ? nil : rest)
        case "names": names = try Self.names(rest, line)
        case "names-proxy": namesProxy = rest
        case "schemes": schemes = rest.split(separator: " ").compactMap { Origin.Scheme(rawValue: String($0)) }
        case "took": milliseconds = Int(rest)
        case "spends":
            let numbers = rest.split(separator: " ").map { Int($0) }
            guard numbers.count == 2, let processor = numbers[1] else {
                throw RowError(line, "expected bytes of memory, or -, and milliseconds of processor time")
            }
            spending = ClientSpending(memory: numbers[0], processorMilliseconds: processor)
        default:
            if name.hasPrefix("no-"), let control = ControlKind(rawValue: String(name.dropFirst(3))) {
                failedControls[control] = rest
                return
            }
            throw RowError(
                line,
                "\"\(name)\" is unknown of a client; known are lanes, facts, abilities, ending, log, other-clock, dropped, "
                    + "base, result, took, spends, names, names-proxy, schemes, "
                    + ControlKind.allCases.map { "no-\($0.rawValue)" }.joined(separator: ", "))
        }
    }

    private static func names(_ text: String, _ line: Int) throws(RowError) -> [Assignment.NamedHost] {
        var names: [Assignment.NamedHost] = []
        for word in text.split(separator: " ") {
            guard let match = word.wholeMatch(of: /([^:]+):(\d+)=(.*)/), let port = Int(match.2) else {
                throw RowError(line, "expected a name such as home.example.org:80=127.0.0.1:1")
            }
            names.append(Assignment.NamedHost(name: String(match.1), port: port, address: String(match.3)))
        }
        return names
    }

    private static func set<Word: RawRepresentable<String> & Hashable>(
        _ text: String, _ line: Int
    ) throws(RowError) -> Set<Word> {
        var found: Set<Word> = []
        for name in text.split(separator: " ") {
            guard let word = Word(rawValue: String(name)) else { throw RowError(line, "\"\(name)\" is unknown") }
            found.insert(word)
        }
        return found
    }

    /// `crashed SIGILL: line`, `hung 5000: line`, `exited 64: line`, `could-not-start: reason`.
    private static func ending(_ text: String, _ line: Int) throws(RowError) -> ClientEnding {
        let sides = text.split(separator: ": ", maxSplits: 1).map(String.init)
        let words = (sides.first ?? "").split(separator: " ").map(String.init)
        let last = sides.count > 1 ? sides[1] : nil
        switch (words.first, words.count > 1 ? words[1] : "") {
        case ("finished", _): return .finished
        case ("crashed", let signal): return .crashed(signal: signal, errorLine: last)
        case ("hung", let number): return .hung(afterMilliseconds: Int(number) ?? 0, lastErrorLine: last)
        case ("exited", let code): return .exited(code: Int32(code) ?? 0, lastErrorLine: last)
        case ("could-not-start", _): return .couldNotStart(reason: last ?? "")
        case ("out-of-bounds", _): return .outOfBounds(reason: last ?? "")
        default:
            throw RowError(
                line, "an ending is finished, crashed SIGNAL, hung N, exited N, could-not-start or out-of-bounds")
        }
    }
}
