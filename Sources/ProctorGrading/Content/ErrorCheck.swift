import ProctorTrace

/// The name of an error, against its domain and code, as Docs/trace-format.md lists them.
enum ErrorCheck: ContentCheck {
    static func faults(in scene: ContentScene) -> [ContentFault] {
        guard !scene.isScripted else { return [] }
        return scene.events.compactMap { event in
            guard event.phase == .enter, let domain = event.facts.text(.domain), let code = event.facts.integer(.code)
            else { return nil }
            switch event.name {
            case .complete, .handler, .awaited, .sessionInvalid:
                return event.argument.flatMap { fault(event, $0, domain, code, isOfCallback: true) }
            case .result:
                return event.facts.text(.error).flatMap { fault(event, $0, domain, code, isOfCallback: false) }
            default: return nil
            }
        }
    }

    /// A `result` may have translated another library's errors into these names; a callback has none but its own.
    private static func fault(
        _ event: TraceEvent, _ name: String, _ domain: String, _ code: Int, isOfCallback: Bool
    ) -> ContentFault? {
        let wanted = URLErrorName.name(domain: domain, code: code)
        let said = URLErrorName.code(named: name)
        guard name == URLErrorName.success || said != nil else { return nil }
        if said?.domain == domain, said?.code == code { return nil }
        let isTranslated = domain != URLErrorName.domain && !name.contains("#")
        guard isOfCallback || !isTranslated else { return nil }
        if let said, said.domain != domain {
            return ContentFault(
                event: event, field: "domain", wanted: ContentFault.quoted(said.domain),
                got: ContentFault.quoted(domain), reason: "the error is named \(EventText.printable(name))")
        }
        return ContentFault(
            event: event, field: "code",
            wanted: said.map { "\($0.code)" } ?? "none", got: "\(code)",
            reason: "the error is named \(EventText.printable(name)), and \(code) is \(EventText.printable(wanted))")
    }
}
