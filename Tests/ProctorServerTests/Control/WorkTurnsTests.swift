import ProctorBase
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorServer
@testable import ProctorServing

/// The bounds of traces that are judged at a time, and of bodies that are under way.
struct WorkTurnsTests {
    private let limit = 4

    /// So many that come at once, each of so many bytes; returns how many were judged at a time, and how many were refused.
    private func crowd(_ count: Int, of byteCount: Int) async -> (most: Int, mostBytes: Int, refused: Int) {
        let turns = WorkTurns(limit: limit)
        let state = Locked((now: 0, most: 0, refused: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    guard await turns.enter(byteCount) else { return state.withLock { $0.refused += 1 } }
                    state.withLock { state in
                        state.now += 1
                        state.most = max(state.most, state.now)
                    }
                    for _ in 0..<20 { await Task.yield() }
                    state.withLock { $0.now -= 1 }
                    turns.endTurn(byteCount)
                }
            }
        }
        return state.withLock { ($0.most, $0.most * byteCount, $0.refused) }
    }

    @Test func `no more are judged at a time than the bound, and all of them in the end`() async {
        let small = await crowd(200, of: 1)
        #expect(1...limit ~= small.most && small.refused == 0)
        let large = await crowd(40, of: WorkTurns.byteLimit / 2)
        #expect(1...2 ~= large.most && large.mostBytes <= WorkTurns.byteLimit && large.refused == 0)
        let huge = await crowd(10, of: 2 * WorkTurns.byteLimit)
        #expect(huge.most == 1 && huge.refused == 0)
    }

    @Test func `beyond those that may wait, one is refused`() async {
        let turns = WorkTurns(limit: limit)
        #expect(await turns.enter(2 * WorkTurns.byteLimit))
        let answers = Locked((yes: 0, no: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<WorkTurns.waitingLimit + 1 {
                group.addTask {
                    let isIn = await turns.enter(1)
                    answers.withLock { answers in
                        if isIn { answers.yes += 1 } else { answers.no += 1 }
                    }
                    if isIn {
                        turns.endTurn(1)
                    } else {
                        // All others wait by now, and go on when the first one leaves.
                        turns.endTurn(2 * WorkTurns.byteLimit)
                    }
                }
            }
        }
        #expect(answers.withLock { $0.yes } == WorkTurns.waitingLimit && answers.withLock { $0.no } == 1)
    }

    @Test func `bodies together are bounded, and what is given back can be taken again`() {
        let budget = BodyBudget()
        #expect(budget.reserve(BodyBudget.limit - 1))
        #expect(!budget.reserve(2) && budget.reserve(1) && !budget.reserve(1))
        budget.release(BodyBudget.limit)
        #expect(budget.reserve(BodyBudget.limit))
    }

    /// Each begins a body that it never ends; together they are longer than there is room for.
    @Test func `bodies that begin and never end are refused beyond the bound, and other calls are answered`()
        async throws
    {
        try await withControl { server in
            let (id, _) = try await makeRun("other", on: server)
            let base = server.base
            let part = [UInt8](repeating: 0x20, count: 4 << 20)
            let head =
                "POST /__proctor/runs/\(id)/grade HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 16000000\r\n\r\n"
            let refused = try await onThread {
                var wires: [Wire] = []
                defer { for wire in wires { wire.close() } }
                for _ in 0..<40 {
                    let wire = try Wire(to: base)
                    wires.append(wire)
                    try wire.send(head)
                    do {
                        try wire.send(part)
                    } catch {
                        // It was refused, and the connection reset behind the answer.
                        return true
                    }
                    if !wire.isSilent(milliseconds: 20) {
                        let reply = try wire.readHead()
                        #expect(reply.hasPrefix("HTTP/1.1 503 ") && reply.contains("\r\nRetry-After: 1\r\n"))
                        return true
                    }
                    let health = try callNow("GET /health", at: base)
                    #expect(health.status == 200)
                }
                return false
            }
            #expect(refused)
            // The room is there again once the connections are gone.
            let whole = try await onThread {
                try wait { try callNow("POST /runs/\(id)/grade", at: base, body: "\n").status == 400 }
            }
            #expect(whole)
        }
    }

    /// Asks again and again until the answer is yes, for a bounded time.
    private func wait(until isThere: () throws -> Bool) throws -> Bool {
        let end = ContinuousClock.now + Patience.whole
        while ContinuousClock.now < end {
            if try isThere() { return true }
        }
        return false
    }
}
