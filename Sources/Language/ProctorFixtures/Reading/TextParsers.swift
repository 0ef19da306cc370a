import ProctorBase
import ProctorDocument
import ProctorScenario

/// The names that are permitted between `{{` and `}}` at one place of a fixture.
struct TemplateScope {
    /// The names of the origins, in the order of the scenario.
    let origins: [String]
    /// The names for `{{path.NAME}}`; nil when no request has been matched.
    var captures: [String]?
    /// Why there are no captures, when `captures` is nil.
    var captureless = "no request has been matched"
    /// Whether any capture is permitted, because the request could not be read.
    var acceptsAnyCapture = false
    /// Whether `{{now}}` is permitted.
    var allowsNow = true
    /// What the text answers, which decides whether `{{request.method}}` and `{{uuid}}` have values.
    var answers = Answered.nothing

    enum Answered {
        case nothing, connection, request
    }

    /// Whether the text is coded content, in which effects have only a position before the coding.
    var isCoded = false
    /// The state's names in a reply to a request; nil where the state can't be used.
    var states: StateMentions?
    /// Whether the bytes are needed at loading, before late-bound values are known.
    var isLiteral = false
    /// The number of `{{repetition}}`, from 1; nil where nothing is repeated.
    var repetition: Int?
}

/// Reads text with late-bound parts: `{{base}}/x`.
struct TemplateParser {
    let scope: TemplateScope
    let sink: DiagnosticSink

    private static let open: [UInt8] = [0x7B, 0x7B]
    private static let close: [UInt8] = [0x7D, 0x7D]

    /// The template; nil after a diagnostic.
    func parse(_ text: ScalarText) -> Template? {
        let bytes = text.bytes
        var parts: [Template.Part] = []
        var literal: [UInt8] = []
        var index = text.range.lowerBound
        var isGood = true
        while index < text.range.upperBound {
            guard bytes[index..<text.range.upperBound].starts(with: Self.open) else {
                literal.append(bytes[index])
                index += 1
                continue
            }
            let start = index
            index += 2
            if bytes[index..<text.range.upperBound].starts(with: Self.open) {
                literal += Self.open
                index += 2
                continue
            }
            guard let end = Self.endOfPart(in: bytes, from: index, to: text.range.upperBound) else {
                return sink.refuse(
                    text.location(start), "{{ without }}", hint: "write {{{{ where two braces themselves are meant")
            }
            if let part = templatePart(text, index..<end, at: start) {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(part)
            } else {
                isGood = false
            }
            index = end + 2
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return isGood ? Template(parts: parts) : nil
    }

    /// The end of a late-bound part; the name of a state may contain late-bound parts.
    private static func endOfPart(in bytes: [UInt8], from start: Int, to limit: Int) -> Int? {
        let mayNest = bytes[start..<limit].drop { $0 == 0x20 }.starts(with: stateWord.utf8)
        var (index, depth) = (start, 0)
        while index + 1 < limit {
            if mayNest, bytes[index] == open[0], bytes[index + 1] == open[1] {
                depth += 1
                index += 2
            } else if bytes[index] == close[0], bytes[index + 1] == close[1] {
                if depth == 0 { return index }
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        }
        return nil
    }

    private static let stateWord = "state."

    /// Reads `{{state.NAME}}`.
    private func state(_ text: ScalarText, _ range: Range<Int>, at place: SourceLocation) -> Template.Part? {
        guard let states = scope.states else {
            return sink.refuse(place, "{{state.NAME}} means nothing here: only the reply to a request shows the state")
        }
        var name = text
        let start = text.bytes[range].firstIndex { $0 != 0x20 } ?? range.lowerBound
        let end = text.bytes[range].lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? range.upperBound
        name.range = min(start + Self.stateWord.utf8.count, end)..<end
        guard !name.range.isEmpty else { return sink.refuse(place, "{{state.}} needs a name behind the point") }
        guard let template = parse(name) else { return nil }
        states.use(template, at: place)
        return .value(.state(template), .none)
    }

    private func templatePart(_ text: ScalarText, _ range: Range<Int>, at start: Int) -> Template.Part? {
        let name = text.text(range).trimmingSpaces
        let place = text.location(start)
        guard !scope.isLiteral else {
            return sink.refuse(
                place, "late-bound text cannot stand in bytes that are made at load",
                hint: "write {{{{ where two braces themselves are meant")
        }
        if name == "base" { return .base }
        if name == "repetition", let number = scope.repetition { return .literal(Array(String(number).utf8)) }
        if name.hasPrefix(Self.stateWord) { return state(text, range, at: place) }
        let ofOrigins: [(word: String, part: (Int?) -> Template.Part)] = [
            ("origin", Template.Part.origin), ("authority", Template.Part.authority), ("host", Template.Part.host),
            ("port", Template.Part.port),
        ]
        if let origin = name.dropping(prefix: "url.") { return originIndex(origin, place).map { .origin($0) } }
        for (word, part) in ofOrigins {
            if name == word { return part(nil) }
            if let origin = name.dropping(prefix: "\(word).") { return originIndex(origin, place).map { part($0) } }
        }
        let isNow = name == "now" || name.hasPrefix("now ") || name.hasPrefix("now+") || name.hasPrefix("now-")
        if let capture = name.dropping(prefix: "path.") { return self.capture(capture, place) }
        if isNow { return now(String(name.dropFirst(3)).trimmingSpaces, place) }
        let requestNames = LateNames(scope: scope, sink: sink, place: place)
        switch requestNames.find(name) {
        case .value(let value): return .value(value, .none)
        case .refused: return nil
        case .other: break
        }
        var names = ["base", "origin", "authority", "host", "port"]
        if scope.allowsNow { names.append("now") }
        if scope.repetition != nil { names.append("repetition") }
        names += (scope.captures ?? []).map { "path.\($0)" }
        names += scope.origins.flatMap {
            ["origin.\($0)", "authority.\($0)", "host.\($0)", "port.\($0)", "url.\($0)"]
        }
        names += requestNames.permitted
        names += (scope.states?.names ?? []).map { Self.stateWord + $0 }
        return sink.refuse(
            place, "unknown late-bound name \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: names))
    }

    private func originIndex(_ name: String, _ place: SourceLocation) -> Int? {
        if let index = scope.origins.firstIndex(of: name) { return index }
        return sink.refuse(
            place, "unknown origin \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: scope.origins))
    }

    private func capture(_ name: String, _ place: SourceLocation) -> Template.Part? {
        guard let captures = scope.captures else {
            return sink.refuse(place, "{{path.\(name)}} means nothing here: \(scope.captureless)")
        }
        if captures.contains(name) || scope.acceptsAnyCapture { return .capture(name) }
        if captures.isEmpty {
            sink.report(place, "this exchange's request captures nothing", hint: "write {\(name)} in its path")
        } else {
            sink.report(
                place, "this exchange's request does not capture \(quoted(name))",
                hint: DiagnosticSink.hint(for: name, among: captures))
        }
        return nil
    }

    private func now(_ shift: String, _ place: SourceLocation) -> Template.Part? {
        guard scope.allowsNow else {
            return sink.refuse(place, "{{now}} means nothing here: there is no reply whose moment it could be")
        }
        if shift.isEmpty { return .now(offsetSeconds: 0) }
        let length = String(shift.dropFirst()).trimmingSpaces
        guard shift.first == "+" || shift.first == "-", let nanoseconds = DurationText.nanoseconds(length),
            nanoseconds % 1_000_000_000 == 0
        else {
            return sink.refuse(
                place, "expected {{now + 1h}} or {{now - 30s}} in whole seconds, found \(quoted("now " + shift))")
        }
        let seconds = nanoseconds / 1_000_000_000
        return .now(offsetSeconds: shift.first == "-" ? -seconds : seconds)
    }
}
