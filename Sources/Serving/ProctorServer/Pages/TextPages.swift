internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorJournal
import ProctorNotation
internal import ProctorReplies
package import ProctorScenario

extension BuiltInReply {
    /// What a search found, the most fitting first, for a person who reads text.
    static func hits(_ scenarios: [Scenario]) -> BuiltInReply {
        let shown = scenarios.prefix(ScenarioSearch.shownLimit)
        var lines = ["\(Plural.count(scenarios.count, "scenario")) found", ""]
        for scenario in shown { lines += ["/\(scenario.id)", "    \(scenario.summary)"] }
        if shown.count < scenarios.count {
            lines += ["", "these are the first \(shown.count); another word finds fewer"]
        }
        return BuiltInReply(status: 200, lines: lines)
    }

    static func index(of scenarios: [Scenario]) -> BuiltInReply {
        var lines = [
            "proctor serves \(Plural.count(scenarios.count, "scenario")); ask for one by its id to see what it does.",
            "",
        ]
        var family: Substring?
        for scenario in scenarios {
            let first = scenario.id.split(separator: "/").first
            if first != family {
                if family != nil { lines.append("") }
                family = first
            }
            lines += ["/\(scenario.id)", "    \(scenario.summary)"]
        }
        return BuiltInReply(status: 200, lines: lines)
    }

    static func notFound(_ path: String, nearest: String?) -> BuiltInReply {
        let hint = nearest.map { ["did you mean /\($0) ?"] } ?? []
        return BuiltInReply(
            status: 404, lines: ["no scenario stands at \(path)"] + hint + ["the catalogue is at /"])
    }

    /// The 500 for a scenario whose file has errors, with all of them and the chapters that they are about; reads the files.
    ///
    /// 503 where the machine could not read it.
    static func broken(_ id: String, _ failure: LoadFailure, hasBook: Bool) -> BuiltInReply {
        guard !failure.isTransient else {
            let reasons = failure.diagnostics.filter(\.isTransient).map(\.description)
            return BuiltInReply(
                status: 503,
                lines: ["scenario \(id) can't be read now; the next request reads it again", ""] + reasons)
        }
        let lines = failure.diagnostics.flatMap { diagnostic in
            let file = OpenFile.content(of: diagnostic.location.file, upTo: 4 << 20, followsLinks: false) ?? []
            let chapter = MessageChapters.chapter(at: diagnostic.location, in: file)
            return [diagnostic.description, "    see \(hasBook ? PageAddress.chapter(chapter) : "Docs/" + chapter)"]
        }
        return BuiltInReply(status: 500, lines: ["scenario \(id) can't be served: its file has errors", ""] + lines)
    }

    /// The page at a scenario's own address: its summary and curl lines to try.
    static func explanation(of scenario: Scenario, at place: PlaceOfScenario) -> BuiltInReply {
        var lines = [scenario.id, scenario.summary]
        if !scenario.spec.isEmpty { lines.append(scenario.spec.joined(separator: ", ")) }
        lines += ["", "base: \(place.base)"]
        if let proxy = place.namesProxy { lines.append("names: by the proxy http://\(proxy), or there by Host") }
        if let remark = scenario.turnsRemark {
            lines += ["", "\(remark). From the start:", "    " + place.resetLine(scenario)]
        }
        lines.append("")
        for item in scenario.cases {
            lines.append("\(item.name) (\(item.kind.rawValue))\(item.summary.map { ": \($0)" } ?? "")")
            let line = CurlLine(
                steps: item.client, scenario: scenario, place: place, speaksHTTP2: item.speaksHTTP2)
            lines.append("    " + line.text)
            if let shortfall = line.shortfall { lines.append("    (not quite: \(shortfall))") }
            lines.append("    about: \(item.subjectText)")
            if let wire = item.wire { lines.append("    wire: \(wire.text.trimmedLines)") }
            if let cookies = item.cookies { lines.append("    cookies: \(cookies.text)") }
            if let download = item.asDownload { lines.append("    also as a download: \(download.name)") }
        }
        return BuiltInReply(status: 200, lines: lines)
    }

    /// The 421 (RFC 9110 §15.5.20) of the shared port for a scenario that needs a root, which `run` serves.
    static func misdirected(from scenario: Scenario, to run: Run) -> BuiltInReply {
        let reason = scenario.rootReason.map { "\($0.text)  (\($0.location))" } ?? "it asks for it"
        var lines = ["scenario \(scenario.id) needs a root of its own: \(reason)", "it stands at \(run.base)/"]
        if let remedy = scenario.rootReason?.remedy { lines.append(remedy) }
        if let proxy = run.namesProxy {
            lines += [
                "a name that is looked up nowhere; come by the proxy, or there by Host:",
                "  curl --proxy http://\(proxy) \(run.base)/",
            ]
        }
        var reply = BuiltInReply(status: 421, lines: lines)
        reply.fields.append(("Content-Location", run.base + "/"))
        return reply
    }
}

extension ScenarioSearch {
    /// The most scenarios that a list of what was found shows.
    package static let shownLimit = 100
}

extension String {
    package var trimmedLines: String {
        split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
}
