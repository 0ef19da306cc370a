import ProctorBase
import ProctorJournal
import ProctorScenario
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

struct RunSeedTests {
    private let place = RandomPlace(.text, at: SourceLocation(file: "a.yaml", line: 4, column: 34))

    /// Computed again by the rule of Docs/format/values.md, step by step.
    @Test func `a number is what the document says`() {
        func mix(_ value: UInt64) -> UInt64 {
            var mixed = value &+ 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        let number = mix(mix(mix(mix(7) ^ 3) ^ (1 << 56 | 4 << 24 | 34)) ^ 1)
        #expect(RunSeed(7).number(request: 3, place: place, draw: 1) == number)
        let range = 1 + Int(mix(mix(mix(mix(7) ^ 3) ^ place.number)).multipliedFullWidth(by: 6).high)
        #expect(RunSeed(7).number(in: 1...6, request: 3, place: place) == range)
    }

    @Test func `numbers differ by seed, request, place and draw`() {
        let other = RandomPlace(.wait, at: SourceLocation(file: "a.yaml", line: 4, column: 34))
        let numbers = [
            RunSeed(1).number(request: 0, place: place), RunSeed(2).number(request: 0, place: place),
            RunSeed(1).number(request: 1, place: place), RunSeed(1).number(request: 0, place: other),
            RunSeed(1).number(request: 0, place: place, draw: 1),
            RunSeed(1).number(request: 0, place: RandomPlace(.text, index: 4)),
        ]
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `every number of a range comes, and no other`() {
        var seen: Set<Int> = []
        for request in 0..<300 { seen.insert(RunSeed(9).number(in: -2...3, request: request, place: place)) }
        #expect(seen == Set(-2...3))
        #expect(RunSeed(9).number(in: 5...5, request: 0, place: place) == 5)
        _ = RunSeed(9).number(in: Int.min...Int.max, request: 0, place: place)
        #expect((0...Int.max).contains(RunSeed(9).number(in: 0...Int.max, request: 0, place: place)))
    }

    private static let dice = """
        summary: dice
        exchanges:
          - request: GET /
            reply: { status: 200, body: "{{random 1-1000000}} {{uuid}}" }
        """

    private func rolls(_ run: Run, count: Int = 3) async throws -> [String] {
        var bodies: [String] = []
        for _ in 0..<count {
            let text = try await exchange(.request("GET /"), with: run.base).text
            bodies.append(String(text.split(whereSeparator: \.isNewline).last ?? ""))
        }
        return bodies
    }

    @Test func `runs with one seed do the same, and others something else`() async throws {
        let scenario = try scenario(Self.dice)
        try await withServer([scenario]) { server in
            let first = try await server.run(scenario.id, seed: 42)
            let wanted = try await rolls(first)
            #expect(Set(wanted).count == 3)
            #expect(try await rolls(server.run(scenario.id, seed: 42)) == wanted)
            #expect(try await rolls(server.run(scenario.id, seed: 43)) != wanted)
            let chosen = try await server.run(scenario.id)
            let own = try await rolls(chosen)
            #expect(own != wanted)
            #expect(try await rolls(server.run(scenario.id, seed: chosen.seed)) == own)
            first.reset()
            #expect(try await rolls(first) == wanted)
        }
    }

    @Test func `the journal begins with the seed, where it matters`() async throws {
        let scenarios = [try scenario(Self.dice, id: "test/dice"), try scenario(always("{ status: 204 }"))]
        try await withServer(scenarios, configure: { $0.seed = 5 }) { server in
            let run = try await server.run("test/dice")
            #expect(run.journal.lines.first == "begun 5")
            run.reset()
            #expect(run.journal.lines == ["begun 5"])
            #expect(try await server.run("test/one").journal.lines == [])
            #expect(try await server.run("test/dice", seed: 6).journal.lines == ["begun 6"])
            let text = try await exchange("GET /test/dice/ HTTP/1.1\r\nHost: a\r\n\r\n", with: server.base).text
            #expect(try await text.hasSuffix(rolls(server.run("test/dice"), count: 1)[0]))
        }
    }

    @Test func `a uuid is one of version 4`() async throws {
        let uuid = try await withRun(Self.dice) { run in
            String(try await rolls(run, count: 1)[0].split(separator: " ")[1])
        }
        let digits = "[0-9a-f]"
        let pattern = try Regex("\(digits){8}-\(digits){4}-4\(digits){3}-[89ab]\(digits){3}-\(digits){12}")
        #expect(uuid.wholeMatch(of: pattern) != nil, "\(uuid)")
    }

    @Test func `a wait of a range takes what the seed says, and the journal has it`() async throws {
        let yaml = """
            summary: waits
            exchanges:
              - request: GET /
                reply: { status: 200, body: [a, { do: wait 1ms-9ms }, b] }
            """
        let scenario = try scenario(yaml)
        try await withServer([scenario]) { server in
            var waits: [[String]] = []
            for _ in 0..<2 {
                let run = try await server.run(scenario.id, seed: 3)
                for _ in 0..<3 { _ = try await exchange(.request("GET /"), with: run.base) }
                waits.append(run.journal.lines.filter { $0.contains(" effect wait ") })
            }
            #expect(waits[0] == waits[1] && Set(waits[0]).count == 3)
            #expect(waits[0].allSatisfy { $0.contains("effect wait 0.00") && $0.hasSuffix(" seconds at body 1") })
        }
    }
}
