import ProctorProgram
internal import ProctorScenario

extension CurlStep {
    /// curl keeps cookies once it is told where to begin: with none.
    var cookies: [String] {
        guard session?.cookies ?? .always == .always, scenario.isAboutCookies else { return [] }
        return ["--cookie", ""]
    }
}

extension Scenario {
    /// Whether a reply sets one, or a case asks about them.
    fileprivate var isAboutCookies: Bool {
        exchanges.lazy.flatMap(\.replies).contains { reply in
            reply.structured?.headers.contains { field in
                String(decoding: field.name, as: UTF8.self).lowercased() == "set-cookie"
            } ?? false
        } || cases.contains { $0.cookies != nil }
    }
}
