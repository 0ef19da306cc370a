internal import ProctorBase
internal import ProctorMCP
internal import ProctorProgram

// Runs: made, judged, and what their journals have.
extension MCPTools {
    /// The cases of a run whose requests are told at once.
    private static let askedCases = 12
    /// Milliseconds that a judgement waits for what is under way.
    static let patience = 3_000

    /// Makes the run that the arguments `id` or `text` mean; the server forgets it after 10 minutes without use.
    func newRun(_ arguments: MCPArguments) async throws -> JSONTree {
        switch (arguments.text("id"), arguments.text("text")) {
        case (let id?, nil): try await ask(.createRun(of: id, lifeSeconds: nil))
        case (nil, let text?): try await ask(.createRun(ofText: Array(text.utf8), id: nil, lifeSeconds: nil))
        default: throw MCPRefusal("give either 'id', of a scenario that is served, or 'text', a scenario itself")
        }
    }

    func makeRun(_ arguments: MCPArguments) async throws -> String {
        let run = try await newRun(arguments)
        let name = run["run"].string ?? ""
        var lines = ["run \(name) of \(run["scenario"].string ?? "")", "base URL: \(run["base"].string ?? "")"]
        for (origin, url) in run["origins"].texts.sorted(by: { $0.key < $1.key }) where origin != "main" {
            lines.append("origin \(origin): \(url)")
        }
        if let proxy = run["namesProxy"].string { lines.append("its hosts have names; their proxy: http://\(proxy)") }
        let cases = run["cases"].items.compactMap(\.string)
        if cases.isEmpty { lines.append("no cases: every request that an exchange expects is right") }
        for item in arguments.text("case").map({ [$0] }) ?? Array(cases.prefix(Self.askedCases)) {
            let reply = try await client.send(.assignment(of: item, in: name))
            guard reply.status == 200 else {
                lines.append("case \(item): \(reply.refusal)")
                continue
            }
            let steps = try await ask(.assignment(of: item, in: name))["steps"].items
            let asked = steps.map { "\($0["method"].string ?? "GET") \($0["url"].string ?? "")" }
            lines.append("case \(item): the client asks \(asked.joined(separator: ", then "))")
        }
        if arguments.text("case") == nil, cases.count > Self.askedCases {
            let names = cases[Self.askedCases...].joined(separator: ", ")
            lines.append("and \(cases.count - Self.askedCases) more cases: \(names)")
        }
        lines.append("10 minutes after its last use the run is deleted")
        return lines.joined(separator: "\n")
    }

    func judge(_ arguments: MCPArguments) async throws -> String {
        var results = JSONText()
        let (status, body, error) = (arguments.number("status"), arguments.text("body"), arguments.text("error"))
        if status != nil || body != nil || error != nil {
            results.object { json in
                json.objects("results", of: [0]) { json, _ in
                    if let status { json.member("status", status) }
                    if let body { json.member("body", body) }
                    if let error { json.member("error", error) }
                }
            }
        }
        return try await verdict(results.bytes, of: arguments.text("case"), in: arguments.text("run") ?? "").text
    }

    /// Judges a run by what the client made of it: the outcome in a word, and the whole text.
    ///
    /// `settle` is the time in milliseconds that the ends of its connections are waited for.
    func verdict(
        _ results: [UInt8], of caseName: String?, in run: String, settle: Int? = nil
    ) async throws -> (outcome: String, text: String) {
        let judged = try await ask(
            .judge(results, of: caseName, in: run, hung: nil, settle: settle, within: Self.patience))
        let text = judged["text"].string ?? ""
        let codes = judged["codes"].items.compactMap(\.string)
        return (
            judged["outcome"].string ?? "", codes.isEmpty ? text : "\(text)\ncodes: \(codes.joined(separator: ", "))"
        )
    }

    func journal(_ arguments: MCPArguments) async throws -> String {
        let after = UInt64(arguments.number("after") ?? 0)
        let reply = try await client.send(.journal(of: arguments.text("run") ?? "", after: after, wait: 0))
        guard reply.status == 200 else { throw MCPRefusal(reply.refusal) }
        let lines = reply.text.split(separator: "\n")
        let limit = arguments.number("limit") ?? 100
        guard !lines.isEmpty else { return "no event has a seq above \(after)" }
        let shown = lines.prefix(limit).joined(separator: "\n")
        guard lines.count > limit else { return shown }
        return "\(shown)\nand \(lines.count - limit) lines more: ask with the last seq as 'after'"
    }
}
