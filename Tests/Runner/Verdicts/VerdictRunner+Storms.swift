import ProctorDocument
import ProctorEvents
import ProctorFixtures
import ProctorGrading
import ProctorStorm

extension VerdictRunner {
    /// Of a schedule, a trace and a journal: the invariants that are broken.
    static let storms: [String: @Sendable (Scene, Block) throws -> [String]] = [
        "storm": { scene, _ in
            let breaks = try breaks(scene)
            return breaks.isEmpty ? ["nothing broken"] : breaks.map(\.line)
        },
        // Of what is broken first, the summary and the sources of the scenario that is written, which has to be read without a fault.
        "storm-scenario": { scene, block in
            let found = try breaks(scene)
            guard let invariant = found.first?.invariant else { throw RowError(block.line, "nothing is broken") }
            let result = StormResult(schedule: try schedule(scene), breaks: found)
            guard let text = result.fixture(of: invariant, head: "# x", client: "x", counts: (broken: 1, asked: 1))
            else {
                return ["none"]
            }
            let faults = ScenarioLoader.parse(Array(text.utf8), id: "x", file: "x").diagnostics
            return text.split(separator: "\n").filter { $0.hasPrefix("summary:") || $0.hasPrefix("spec:") }
                .map(String.init)
                + faults.map(\.description)
        },
    ]

    private static func breaks(_ scene: Scene) throws -> [StormBreak] {
        let held = (scene.text("schedule") ?? "").split(separator: "\n").filter { $0.hasPrefix("held ") }
        return StormJudge(
            try schedule(scene), try scene.evidence(), heldConnections: held.map { String($0.dropFirst(5)) }
        ).breaks
    }

    /// Lines `GET 7-0 16 reset-in-body`, a load each: method, name, bytes, and a fault; `limit 200` and `cancel data` may stand
    /// behind; and lines of the session: `bound 2`, `cookies`, `plain 1`, `way h2-tls`, and `held main` for each connection that is left.
    private static func schedule(_ scene: Scene) throws -> StormSchedule {
        var schedule = StormSchedule(number: 7, plain: 0)
        let line = scene.block("schedule")?.line ?? 0
        for text in (scene.text("schedule") ?? "").split(separator: "\n") {
            let words = text.split(separator: " ").map(String.init)
            switch words[0] {
            case "bound": schedule.connectionBound = words.count > 1 ? Int(words[1]) : nil
            case "held": break
            case "cookies": schedule.setsCookies = true
            case "plain": schedule.plainCount = words.count > 1 ? Int(words[1]) ?? 0 : 0
            case "way":
                guard let way = StormWay.all.first(where: { $0.name == words.last }) else {
                    throw RowError(line, "no way is \(text)")
                }
                schedule.way = way
            default: schedule.loads.append(try load(words, line))
            }
        }
        return schedule
    }

    private static func load(_ words: [String], _ line: Int) throws -> StormLoad {
        guard words.count >= 3, let byteCount = Int(words[2]) else {
            throw RowError(line, "expected a load such as GET 7-0 16, not \(words.joined(separator: " "))")
        }
        var load = StormLoad(name: words[1], method: words[0], downloadByteCount: byteCount)
        var rest = words.dropFirst(3)
        while let word = rest.popFirst() {
            switch word {
            case "limit": load.limit = rest.popFirst().flatMap { Int($0) }
            case "cancel": load.cancelAt = rest.popFirst()
            default:
                guard let fault = StormFault.all.first(where: { $0.name == word }) else {
                    throw RowError(line, "no fault is \(word)")
                }
                load.fault = fault
            }
        }
        return load
    }
}
