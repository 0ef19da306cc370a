internal import ProctorBase
package import ProctorScenario

/// A command line that has curl do a case in a run of its own, for anybody who has the fixtures.
package struct CurlCommand: Sendable {
    /// `proctor run ID --case NAME -- curl …`, with marks in place of the addresses.
    package let text: String
    /// What of the case curl can't do, half a sentence; nil where the line does all of it.
    package let shortfall: String?

    /// Takes the addresses of a run to replace them.
    package init(of item: Case, in run: Run) {
        var place = PlaceOfScenario(of: run)
        // `proctor run` names the proxy to the scenario's names in the environment.
        place.namesProxy = nil
        let asked = item.asked(inRunOf: run.wantedProtocol)
        let line = CurlLine(
            steps: item.client, scenario: run.scenario, place: place, speaksHTTP2: asked.speaksHTTP2)
        shortfall = line.shortfall
        var text = line.text
        if let path = run.trust {
            text = Self.replacing(path, by: "{{ca}}", in: text)
            if let folder = run.trustFolder { text = Self.replacing(folder, by: "{{ca-folder}}", in: text) }
        }
        text = Self.replacing(run.base, by: "{{base}}", in: text)
        for (name, url) in run.origins { text = Self.replacing(url, by: "{{origin.\(name)}}", in: text) }
        let option = run.wantedProtocol.flags
        self.text = "proctor run \(run.scenario.id) --case \(item.name)\(option.isEmpty ? "" : " " + option) -- \(text)"
    }

    private static func replacing(_ wanted: String, by mark: String, in text: String) -> String {
        guard !wanted.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(ofText: wanted) {
            result += rest[..<range.lowerBound] + mark
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
