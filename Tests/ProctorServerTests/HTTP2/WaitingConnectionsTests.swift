import Testing

@testable import ProctorServing

/// Which of the connections that wait give memory back; what they answer then is in Tests/Data/conversations/http2/resting.md.
struct WaitingConnectionsTests {
    private final class Idler: RestingConnection {
        private(set) lazy var place = WaitingConnections.Place(of: self)
        private(set) var restCount = 0

        func rest() { restCount += 1 }
    }

    @Test func `the one that has waited longest rests, once`() {
        let (waiting, idlers) = (WaitingConnections(awakeCount: 1, delay: 0), (0..<3).map { _ in Idler() })
        for idler in idlers { waiting.append(idler.place) }
        for idler in idlers { waiting.append(idler.place) }
        #expect(idlers.map(\.restCount) == [1, 1, 0])
    }

    @Test func `one that is used does not rest, and its place at the beginning of the line keeps no other awake`() {
        let (waiting, idlers) = (WaitingConnections(awakeCount: 1, delay: 0), (0..<3).map { _ in Idler() })
        waiting.append(idlers[0].place)
        waiting.use(idlers[0].place)
        waiting.append(idlers[1].place)
        #expect(idlers.map(\.restCount) == [0, 0, 0])
        waiting.append(idlers[2].place)
        #expect(idlers.map(\.restCount) == [0, 1, 0])
        waiting.append(idlers[0].place)
        #expect(idlers.map(\.restCount) == [0, 1, 1])
    }

    @Test func `one that rested and is used rests anew, and one that ended does not`() {
        let (waiting, idlers) = (WaitingConnections(awakeCount: 0, delay: 0), (0..<2).map { _ in Idler() })
        waiting.append(idlers[0].place)
        waiting.use(idlers[0].place)
        waiting.append(idlers[0].place)
        #expect(idlers.map(\.restCount) == [2, 0])
        waiting.remove(idlers[0].place)
        waiting.append(idlers[1].place)
        #expect(idlers.map(\.restCount) == [2, 1])
    }

    @Test func `none rests before its time`() {
        let (waiting, idlers) = (WaitingConnections(awakeCount: 0, delay: .max), (0..<9).map { _ in Idler() })
        for idler in idlers { waiting.append(idler.place) }
        for idler in idlers.reversed() { waiting.remove(idler.place) }
        #expect(idlers.allSatisfy { $0.restCount == 0 })
    }
}
