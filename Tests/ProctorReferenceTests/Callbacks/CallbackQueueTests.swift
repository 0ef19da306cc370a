import Testing

@testable import ProctorReference

@Suite(.timeLimit(.minutes(5)))
struct CallbackQueueTests {
    @Test func `an ended queue makes the calls that it has, and says that it takes no more`() async throws {
        let log = CallLog()
        let queue = try CallbackQueue()
        queue.submit {
            let isTaken = queue.submit { log.add("second") }
            queue.end()
            let isTakenLate = queue.submit { log.add("third") }
            log.add("first \(isTaken) \(isTakenLate) \(queue.isCurrent)")
        }
        await log.wait(for: "second")
        #expect(log.lines == ["first true false true", "second"])
        queue.end()
        #expect(!queue.submit {})
    }
}
