/// A credential as it goes over the wire, parameter by parameter, right or wrong.
struct WrittenAnswer: Sendable {
    var field = "Authorization"
    var scheme = "Digest"
    /// Raw: with the quotes, where there are any.
    private(set) var parameters: [(name: String, raw: String)] = []
    /// Between two parameters.
    var joint = ", "
    /// Between scheme and parameters.
    var gap = " "
    /// In the place of the parameters.
    var verbatim: String?
    /// Field lines that stand below it.
    var more: [String] = []

    /// The lines of the head.
    var lines: [String] {
        let list = parameters.map { "\($0.name)=\($0.raw)" }.joined(separator: joint)
        return ["\(field): \(scheme)\(gap)\(verbatim ?? list)"] + more
    }

    /// What stands behind the name of a parameter, without its quotes.
    func value(_ name: String) -> String {
        let raw = parameters.first { $0.name == name }?.raw ?? ""
        return raw.hasPrefix("\"") && raw.hasSuffix("\"") && raw.count >= 2 ? String(raw.dropFirst().dropLast()) : raw
    }

    mutating func add(_ name: String, _ raw: String) { parameters.append((name, raw)) }
    mutating func add(_ name: String, quoted value: String) { add(name, "\"\(value)\"") }

    // MARK: Mutations

    func changing(_ change: (inout WrittenAnswer) -> Void) -> WrittenAnswer {
        var copy = self
        change(&copy)
        return copy
    }

    func without(_ names: String...) -> WrittenAnswer {
        changing { $0.parameters.removeAll { names.contains($0.name) } }
    }

    /// In its place where it is there, at the end where it isn't.
    func setting(_ name: String, _ raw: String) -> WrittenAnswer {
        changing { answer in
            if let index = answer.parameters.firstIndex(where: { $0.name == name }) {
                answer.parameters[index].raw = raw
            } else {
                answer.add(name, raw)
            }
        }
    }

    func setting(_ name: String, quoted value: String) -> WrittenAnswer { setting(name, "\"\(value)\"") }

    /// A second time, at the end, as it is.
    func doubling(_ name: String) -> WrittenAnswer {
        changing { $0.add(name, $0.parameters.first { $0.name == name }?.raw ?? "") }
    }

    func unquoting(_ name: String) -> WrittenAnswer { setting(name, value(name)) }
    func quoting(_ name: String) -> WrittenAnswer { setting(name, quoted: value(name)) }

    func reversed() -> WrittenAnswer { changing { $0.parameters.reverse() } }

    func renaming(_ change: (String) -> String) -> WrittenAnswer {
        changing { $0.parameters = $0.parameters.map { (change($0.name), $0.raw) } }
    }
}
