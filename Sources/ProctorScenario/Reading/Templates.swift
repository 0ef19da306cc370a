import ProctorBase
import ProctorDocument

/// What may stand between `{{` and `}}` at one place of a fixture.
struct TemplateScope {
    /// In the order of the scenario.
    let origins: [String]
    /// What `{{path.NAME}}` can name; nil where no request has been matched.
    var captures: [String]?
    /// Why nothing is captured, where `captures` is nil.
    var captureless = "no request has been matched"
    /// The request could not be read, so that its captures are unknown.
    var acceptsAnyCapture = false
    /// Whether there is a moment that `{{now}}` can mean.
    var allowsNow = true
    /// Coded once for all requests, so that nothing of one request can stand in it.
    var isCoded = false
    /// Made at load, when nothing late-bound is known.
    var isLiteral = false
}

/// Reads text with late-bound parts: `{{base}}/x`.
struct TemplateParser {
    let scope: TemplateScope
    let sink: DiagnosticSink

    private static let open: [UInt8] = [0x7B, 0x7B]
    private static let close: [UInt8] = [0x7D, 0x7D]

    /// nil after a diagnostic.
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
            guard let end = Self.end(in: bytes, from: index, to: text.range.upperBound) else {
                sink.report(
                    text.location(start), "{{ without }}", hint: "write {{{{ where two braces themselves are meant")
                return nil
            }
            if let part = part(text, index..<end, at: start) {
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

    private static func end(in bytes: [UInt8], from start: Int, to limit: Int) -> Int? {
        var index = start
        while index + 1 < limit {
            if bytes[index] == close[0], bytes[index + 1] == close[1] { return index }
            index += 1
        }
        return nil
    }

    private func part(_ text: ScalarText, _ range: Range<Int>, at start: Int) -> Template.Part? {
        let name = text.text(range).trimmingSpaces
        let place = text.location(start)
        guard !scope.isLiteral else {
            sink.report(
                place, "late-bound text cannot stand in bytes that are made at load",
                hint: "write {{{{ where two braces themselves are meant")
            return nil
        }
        if name == "base" { return .base }
        if name == "origin" { return .origin(nil) }
        if name == "authority" { return .authority(nil) }
        if let origin = name.dropping(prefix: "origin.") { return originIndex(origin, place).map { .origin($0) } }
        if let origin = name.dropping(prefix: "authority.") { return originIndex(origin, place).map { .authority($0) } }
        if name == "host" { return .host(nil) }
        if name == "port" { return .port(nil) }
        if let origin = name.dropping(prefix: "host.") { return originIndex(origin, place).map { .host($0) } }
        if let origin = name.dropping(prefix: "port.") { return originIndex(origin, place).map { .port($0) } }
        let isNow = name == "now" || name.hasPrefix("now ") || name.hasPrefix("now+") || name.hasPrefix("now-")
        if scope.isCoded, isNow || name.hasPrefix("path.") {
            sink.report(
                place, "{{\(name)}} cannot stand in a coded body, which is coded once for all requests",
                hint: "{{base}}, {{origin}} and {{authority}} can")
            return nil
        }
        if let capture = name.dropping(prefix: "path.") { return self.capture(capture, place) }
        if isNow { return now(String(name.dropFirst(3)).trimmingSpaces, place) }
        var names = ["base", "origin", "authority", "host", "port"]
        if scope.allowsNow { names.append("now") }
        names += (scope.captures ?? []).map { "path.\($0)" }
        names += scope.origins.flatMap { ["origin.\($0)", "authority.\($0)", "host.\($0)", "port.\($0)"] }
        sink.report(
            place, "unknown late-bound name \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: names))
        return nil
    }

    private func originIndex(_ name: String, _ place: SourceLocation) -> Int? {
        if let index = scope.origins.firstIndex(of: name) { return index }
        sink.report(
            place, "unknown origin \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: scope.origins))
        return nil
    }

    private func capture(_ name: String, _ place: SourceLocation) -> Template.Part? {
        guard let captures = scope.captures else {
            sink.report(place, "{{path.\(name)}} means nothing here: \(scope.captureless)")
            return nil
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
            sink.report(place, "{{now}} means nothing here: there is no reply whose moment it could be")
            return nil
        }
        if shift.isEmpty { return .now(offsetSeconds: 0) }
        let length = String(shift.dropFirst()).trimmingSpaces
        guard shift.first == "+" || shift.first == "-", let nanoseconds = DurationText.nanoseconds(length),
            nanoseconds % 1_000_000_000 == 0
        else {
            sink.report(
                place, "expected {{now + 1h}} or {{now - 30s}} in whole seconds, found \(quoted("now " + shift))")
            return nil
        }
        let seconds = nanoseconds / 1_000_000_000
        return .now(offsetSeconds: shift.first == "-" ? -seconds : seconds)
    }
}

extension String {
    /// The rest after a prefix, if the text has it.
    func dropping(prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }

    /// Without spaces at both ends.
    var trimmingSpaces: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
