import ProctorBase
import ProctorDocument
import ProctorScenario

/// Resolves names of values of the request and of the run between `{{` and `}}`.
struct LateNames {
    let scope: TemplateScope
    let sink: DiagnosticSink
    /// The place of the `{{`.
    let place: SourceLocation

    enum Resolution {
        case value(LateValue)
        /// A diagnostic was reported.
        case refused
        /// The name is no value of the request or of the run.
        case other
    }

    private static let plain: [(name: String, value: LateValue)] = [
        ("request.method", .method), ("request.target", .target), ("request.path", .path), ("request.body", .body),
        ("request.body.coded", .codedBody),
        ("request.number", .requestNumber), ("request.json", .json(JSONPointer(tokens: []))),
    ]

    /// The prefixes that a dot and a name follow.
    private static let named: [(name: String, value: @Sendable (String) -> LateValue)] = [
        ("request.query", { .query($0) }), ("request.header", { .header($0) }), ("request.cookie", { .cookie($0) }),
        ("request.form", { .form($0) }),
    ]

    /// The permitted names, for hints.
    var permitted: [String] {
        var names: [String] = []
        if scope.answers == .request { names += Self.plain.map(\.name) + Self.named.map { "\($0.name).NAME" } }
        if scope.answers != .nothing { names += ["connection.number", "uuid", "random 1-6"] }
        return names
    }

    func find(_ name: String) -> Resolution {
        if name == "request" || name.hasPrefix("request.") { return request(name) }
        let isRandom = name == "random" || name.hasPrefix("random ")
        guard isRandom || name == "uuid" || name == "connection.number" else { return .other }
        guard scope.answers != .nothing else {
            return refuse("{{\(name)}} means nothing here: there is no reply or effect that it could be made for")
        }
        if name == "connection.number" { return .value(.connectionNumber) }
        if name == "uuid" { return .value(.uuid(RandomPlace(.text, at: place))) }
        let words = name.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        let numbers = words.map { String($0).trimmingSpaces }.compactMap(Self.number)
        guard words.count == 2, numbers.count == 2, numbers[0] <= numbers[1] else {
            return refuse(
                "expected {{random 1-6}} with two whole numbers up to \(Int.max), the smaller one first, found "
                    + quoted(name))
        }
        return .value(.random(numbers[0]...numbers[1], RandomPlace(.text, at: place)))
    }

    private static func number(_ text: String) -> Int? {
        !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }

    private func request(_ name: String) -> Resolution {
        let word = String(
            name.prefix { $0 != "/" }.split(separator: ".", maxSplits: 2).prefix(2).joined(separator: "."))
        let isKnown = Self.plain.contains { $0.name == word } || Self.named.contains { $0.name == word }
        guard isKnown else {
            let names = Self.plain.map(\.name) + Self.named.map(\.name)
            return refuse(
                "unknown late-bound name \(quoted(name))", hint: DiagnosticSink.hint(for: word, among: names))
        }
        guard scope.answers == .request else {
            return refuse("{{\(name)}} means nothing here: no request is being answered")
        }
        if let row = Self.plain.first(where: { $0.name == name }) { return .value(row.value) }
        if word == "request.json" { return json(name) }
        guard let row = Self.named.first(where: { $0.name == word }) else {
            return refuse(
                "nothing stands behind {{\(word)}}, found \(quoted(name))",
                hint: "only {{request.json}} takes a pointer")
        }
        guard let argument = name.dropping(prefix: "\(word)."), !argument.isEmpty else {
            return refuse("{{\(word)}} needs a name behind a dot", hint: "like {{\(word).NAME}}")
        }
        return .value(row.value(argument))
    }

    /// Reads the pointer after `request.json`.
    private func json(_ name: String) -> Resolution {
        do throws(JSONPointer.Fault) {
            return .value(.json(try JSONPointer(String(name.dropFirst("request.json".utf8.count)))))
        } catch {
            return refuse(
                "\(error.sentence), found \(quoted(name))",
                hint: error.offset == 0 ? "like {{request.json/items/0/name}}" : nil)
        }
    }

    private func refuse(_ sentence: String, hint: String? = nil) -> Resolution {
        sink.report(place, sentence, hint: hint)
        return .refused
    }
}
