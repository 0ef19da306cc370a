import ProctorBase
package import ProctorEvents

/// One request of the control API, independent of its transport (Docs/use/control.md).
package struct ControlMessage: Sendable, Equatable {
    package let method: String
    /// Path and query.
    package let target: String
    /// The content: JSON, or a trace; nil: none.
    package let content: [UInt8]?

    /// The path prefix of the control API.
    package static let prefix = "/__proctor"

    private init(_ method: String, _ target: String, content: [UInt8]? = nil) {
        self.method = method
        self.target = "\(Self.prefix)/\(target)"
        self.content = content
    }

    /// A POST with one JSON object.
    private init(posting target: String, _ write: (inout JSONText) -> Void) {
        var json = JSONText()
        json.open("{")
        write(&json)
        json.close("}")
        self.init("POST", target, content: json.bytes)
    }

    // MARK: Runs

    /// Opens a run of a scenario; the server deletes it after `lifeSeconds` without a call.
    package static func createRun(of scenario: String, lifeSeconds: Int?) -> Self {
        Self(posting: "runs") { json in
            json.member("scenario", scenario)
            if let lifeSeconds { json.member("lifeSeconds", lifeSeconds) }
        }
    }

    /// Opens a run of the scenario whose text is `text`, YAML or JSON.
    package static func createRun(ofText text: [UInt8], id: String?, lifeSeconds: Int?) -> Self {
        let items = [id.map { "id=\(escaped($0))" }, lifeSeconds.map { "lifeSeconds=\($0)" }].compactMap(\.self)
        return Self("POST", "inline" + query(items), content: text)
    }

    package static var runs: Self { Self("GET", "runs") }

    // MARK: Scenarios

    /// Asks for the scenarios of a family, or for all of them.
    package static func scenarios(ofFamily family: String?) -> Self {
        Self("GET", "scenarios" + query([family.map { "family=\(escaped($0))" }].compactMap(\.self)))
    }

    /// Looks for the scenarios that have all words; `words` may be any text.
    package static func searchScenarios(_ words: String) -> Self { Self("GET", "scenarios?q=\(escaped(words))") }

    /// Asks for a scenario with the text of its file.
    package static func scenario(_ id: String) -> Self {
        Self("GET", "scenarios/\(escaped(id, keeping: "/"))?text=yes")
    }

    /// Adds the scenario whose text is `text` to the set of the id's first segment, or replaces it there.
    package static func putScenario(_ text: [UInt8], as id: String, lifeSeconds: Int) -> Self {
        Self("PUT", "sets/\(escaped(id, keeping: "/"))?lifeSeconds=\(lifeSeconds)", content: text)
    }

    package static func deleteRun(_ run: String) -> Self { Self("DELETE", "runs/\(escaped(run))") }

    /// Asks for the run at a path of the shared port; `path` is percent-encoded.
    package static func standingRun(ofPath path: String) -> Self { Self("GET", "standing/\(path)") }

    /// Restarts a run, or all standing runs; `place` is percent-encoded.
    package static func reset(_ place: String) -> Self { Self("POST", "\(place)/reset") }

    // MARK: The server

    package static var health: Self { Self("GET", "health") }

    /// Looks for words in the book of the server; `words` may be any text.
    package static func searchBook(_ words: String) -> Self { Self("GET", "docs?q=\(escaped(words))") }

    /// Asks for the certificate of the private authority, PEM.
    package static var authority: Self { Self("GET", "ca.pem") }

    // MARK: Clients

    /// Asks for the assignment of a case, with the bytes of files instead of their paths.
    package static func assignment(of caseName: String, in run: String) -> Self {
        Self("GET", "runs/\(escaped(run))/assignment?case=\(escaped(caseName))&files=bytes")
    }

    /// Asks to grade an adapter's trace.
    package static func grade(_ trace: [UInt8], of caseName: String, in run: String) -> Self {
        Self("POST", "runs/\(escaped(run))/grade?case=\(escaped(caseName))", content: trace)
    }

    /// Asks to grade a run whose client has ended, with the parts of a report.
    ///
    /// Without `caseName` the run is graded by the scenario's only case, or without a case where the scenario has none.
    /// `settle` is the most milliseconds to wait for the ends of the client's connections, `hung` the milliseconds
    /// after which the client was still running, `within` the most milliseconds to wait until nothing is under way.
    package static func judge(
        _ trace: [UInt8], of caseName: String?, in run: String, hung: Int?, settle: Int?, within: Int = 0
    ) -> Self {
        let items = [
            caseName.map { "case=\(escaped($0))" }, hung.map { "hung=\($0)" }, settle.map { "settle=\($0)" },
            "within=\(within)", "report=yes",
        ]
        return Self("POST", "runs/\(escaped(run))/judge" + query(items.compactMap(\.self)), content: trace)
    }

    /// Sets the ledger, in YAML, with which a run is graded.
    package static func setLedger(_ text: [UInt8], of run: String) -> Self {
        Self("PUT", "runs/\(escaped(run))/ledger", content: text)
    }

    /// Sets the platform, in YAML, with which a run is graded.
    package static func setPlatform(_ text: [UInt8], of run: String) -> Self {
        Self("PUT", "runs/\(escaped(run))/platform", content: text)
    }

    /// Reports that the client saw an event `count` times.
    package static func reached(_ event: EventName, task: Int, count: Int, in run: String) -> Self {
        Self(posting: "runs/\(escaped(run))/reached") { json in
            json.member("event", event.rawValue)
            json.member("task", task)
            json.member("count", count)
        }
    }

    /// Asks for a client's environment variables; `query` is empty or begins with a question mark.
    package static func environment(of run: String, query: String) -> Self {
        Self("GET", "runs/\(run)/environment\(query)")
    }

    /// Asks for the environment variables of a client of a case, or of any use of the run.
    package static func environment(of run: String, for caseName: String?) -> Self {
        environment(of: escaped(run), query: query([caseName.map { "case=\(escaped($0))" }].compactMap(\.self)))
    }

    // MARK: Journals

    /// Asks for the entries after a sequence number; the server waits up to `milliseconds` for the first one.
    package static func journal(of run: String, after sequence: UInt64, wait milliseconds: Int) -> Self {
        Self("GET", "runs/\(escaped(run))/journal?after=\(sequence)&wait=\(milliseconds)")
    }

    private static func query(_ items: [String]) -> String { items.isEmpty ? "" : "?" + items.joined(separator: "&") }

    private static func escaped(_ text: String, keeping kept: String = "") -> String {
        PercentEncoding.encode(text, keeping: kept)
    }
}
