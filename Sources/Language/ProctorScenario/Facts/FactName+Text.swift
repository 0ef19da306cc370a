import ProctorBase
import ProctorDocument

/// Why a text is no fact name.
package struct FactNameError: Error, Sendable, Equatable {
    package let sentence: String
    /// The probable correction, or the permitted values.
    package let hint: String?
}

extension FactName {
    /// The names for messages, with `NAME` in them, before those with a number.
    private static var names: [String] {
        FactGroup.told.shownNames + namesOfRun + FactGroup.spending.namesOfEach.map { "client.\($0)" }
            + FactGroup.guarding.namesOfEach.map { "auth.\($0)" }
    }

    private static var namesOfRun: [String] {
        FactGroup.run.namesOfEach
            + FactGroup.all.flatMap { group in group.namesOfRun.map { "\(group.name).\($0)" } }
    }

    /// What stands before the number of a fact of one of several.
    private static let numbered = ["wire", "connection", "tls"] + FactGroup.all.map(\.name)

    /// Reads a name as fixtures write it: `wire[0].headers.Cookie`, `step[1].status`.
    package init(parsing text: String) throws(FactNameError) {
        if let fact = try FactGroup.run.find(text) {
            self = .run(fact)
        } else if let fact = try Self.ofOne(text) {
            self = fact
        } else if let (step, rest) = try Self.indexed(text, "step") {
            self = .client(step: step, try FactGroup.told.require(rest, below: "step[\(step)]."))
        } else if let name = text.dropping(prefix: "client.") {
            self = .spent(try FactGroup.spending.require(name, below: "client."))
        } else if let name = text.dropping(prefix: "auth.") {
            let words = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2, let fact = try FactGroup.guarding.find(String(words[1])) {
                throw FactNameError(
                    sentence: "unknown fact \(quoted(text))", hint: "write \"auth[\(words[0])].\(fact.text)\"")
            }
            self = .guarding(guardName: nil, try FactGroup.guarding.require(name, below: "auth."))
        } else if let (guardName, name) = try Self.guardName(text) {
            self = .guarding(guardName: guardName, try FactGroup.guarding.require(name, below: "auth[\(guardName)]."))
        } else if let fact = try FactGroup.told.read(text, below: "") {
            self = .client(step: 0, fact)
        } else if let fact = try Self.ofGroup(text) {
            self = fact
        } else {
            try Self.refuseWithoutNumber(text)
            let groups = Self.numbered.map { "\($0)[0]." }
            throw FactNameError(
                sentence: "unknown fact \(quoted(text))",
                hint: NearestName.find(text, in: Self.names + groups).map { "did you mean \"\($0)\"?" }
                    ?? "known facts: \(Self.names.joined(separator: ", ")), auth[GUARD].…, "
                    + "\(Self.numbered.map { "\($0)[N].…" }.joined(separator: ", ")), step[N].…")
        }
    }

    /// Reads the name of a fact of one of several: `tls[0].version`; nil for any other text.
    private static func ofOne(_ text: String) throws(FactNameError) -> FactName? {
        guard let group = numbered.first(where: { text.hasPrefix("\($0)[") }),
            let (index, rest) = try indexed(text, group)
        else { return nil }
        let prefix = "\(group)[\(index)]."
        switch group {
        case "wire": return .wire(index: index, try FactGroup.request.require(rest, below: prefix))
        case "connection": return .connection(index: index, try FactGroup.connection.require(rest, below: prefix))
        case "tls": return .tls(index: index, try FactGroup.handshake.require(rest, below: prefix))
        default:
            guard let group = FactGroup.all.first(where: { $0.name == group }) else { return nil }
            return .grouped(group, index: index, try group.require(rest, below: prefix))
        }
    }

    /// Reads `dns.count`, of the run as a whole; nil for any other text.
    private static func ofGroup(_ text: String) throws(FactNameError) -> FactName? {
        for group in FactGroup.all {
            if let name = text.dropping(prefix: "\(group.name).") { return try group.readOfRun(name) }
        }
        return nil
    }

    /// Refuses `tls.NAME`, which lacks a number or is no fact of the run.
    private static func refuseWithoutNumber(_ text: String) throws(FactNameError) {
        guard let name = text.dropping(prefix: "tls.") else { return }
        guard FactGroup.handshake.namesOfEach.contains(name) else {
            throw .unknown(
                name, below: "tls.", among: FactGroup.run.namesOfEach.compactMap { $0.dropping(prefix: "tls.") })
        }
        throw .lacksNumber("tls", name, of: "handshake")
    }

    /// Splits `auth[GUARD].rest`; nil when the text does not begin with `auth[`.
    private static func guardName(_ text: String) throws(FactNameError) -> (String, String)? {
        guard let tail = text.dropping(prefix: "auth[") else { return nil }
        let name = tail.prefix { $0 != "]" }
        let rest = tail.dropFirst(name.count)
        guard !name.isEmpty, rest.hasPrefix("].") else {
            throw FactNameError(
                sentence: "expected auth[GUARD].NAME with the name of a guard, found \(quoted(text))", hint: nil)
        }
        return (String(name), String(rest.dropFirst(2)))
    }

    /// Splits `prefix[N].rest`; nil when the text does not begin with `prefix[`.
    ///
    /// `outer` is written before the text in messages.
    static func indexed(
        _ text: String, _ prefix: String, within outer: String = ""
    ) throws(FactNameError) -> (Int, String)? {
        guard let tail = text.dropping(prefix: "\(prefix)[") else { return nil }
        let digits = tail.prefix { $0 != "]" }
        let rest = tail.dropFirst(digits.count)
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let index = Int(digits),
            Bounds.index.contains(index), rest.hasPrefix("].")
        else {
            throw FactNameError(
                sentence:
                    "expected \(outer)\(prefix)[N].NAME with N from 0 to \(Bounds.index.upperBound), found "
                    + quoted(outer + text),
                hint: nil)
        }
        return (index, String(rest.dropFirst(2)))
    }

    /// The regular expression of all names, for the schema.
    package static var pattern: String {
        let groups: [(String, [String])] = [
            ("client", FactGroup.spending.namesOfEach), ("auth(\\[[^\\]]+\\])?", FactGroup.guarding.namesOfEach),
            ("wire[N]", FactGroup.request.namesOfEach), ("connection[N]", FactGroup.connection.namesOfEach),
            ("tls[N]", FactGroup.handshake.namesOfEach),
        ]
        let grouped = FactGroup.all.map { ("\($0.name)[N]", $0.namesOfEach) }
        let one = (groups + grouped).map { "\($0.replacing(text: "[N]", with: number))\\.\(either($1))" }
        let ofSteps = "(step\(number)\\.)?\(either(FactGroup.told.namesOfEach))"
        let all = [either(namesOfRun)] + one + [ofSteps]
        return "^(\(all.joined(separator: "|")))$"
    }

    /// A number in brackets.
    private static let number = "\\[[0-9]{1,6}\\]"

    private static func either(_ names: [String]) -> String {
        let patterns = names.map { name in
            // A client looks up a token (RFC 9110 §5.1).
            let argument = name.hasSuffix("header.NAME") ? "[!#$%&'*+.^_`|~0-9A-Za-z-]+" : ".+"
            return name.replacing(text: ".", with: "\\.").replacing(text: "[N]", with: number)
                .replacing(text: "NAME", with: argument)
        }
        return "(\(patterns.joined(separator: "|")))"
    }
}

extension FactNameError {
    /// For a fact of one of several that is written without its number.
    static func lacksNumber(_ group: String, _ name: String, of noun: String) -> FactNameError {
        FactNameError(
            sentence: "unknown fact \(quoted("\(group).\(name)"))",
            hint: "write \"\(group)[0].\(name)\" for the first \(noun)")
    }

    static func unknown(_ name: String, below prefix: String, among names: [String]) -> FactNameError {
        FactNameError(
            sentence: "unknown fact \(quoted(prefix + name))",
            hint: NearestName.find(name, in: names).map { "did you mean \"\(prefix)\($0)\"?" }
                ?? "known after \(prefix): \(names.joined(separator: ", "))")
    }
}
