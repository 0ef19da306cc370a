import ProctorEvents
import ProctorGrading
import ProctorStorm

extension VerdictRunner {
    /// Of a schedule, a trace and a journal: the invariants that are broken.
    static let storms: [String: @Sendable (Scene, Block) throws -> [String]] = [
        "storm": { scene, _ in
            let breaks = StormJudge(try schedule(scene), try scene.evidence()).breaks
            return breaks.isEmpty ? ["nothing broken"] : breaks.map(\.line)
        }
    ]

    /// Lines `GET 7-0 16 reset-in-body`, a load each: method, name, bytes, and a fault; `limit 200` and `cancel data` may stand
    /// behind; and lines of the session: `number 7`, `bound 2`, `cookies`, `plain 1`, `way h2-tls`.
    private static func schedule(_ scene: Scene) throws -> StormSchedule {
        var schedule = StormSchedule(number: 7, plain: 0)
        let line = scene.block("schedule")?.line ?? 0
        for text in (scene.text("schedule") ?? "").split(separator: "\n") {
            let words = text.split(separator: " ").map(String.init)
            switch words[0] {
            case "bound": schedule.connectionBound = words.count > 1 ? Int(words[1]) : nil
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
