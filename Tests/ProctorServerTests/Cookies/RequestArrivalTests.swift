import Testing

@testable import ProctorServing

/// When a request counts as begun.
struct RequestArrivalTests {
    @Test func `the first request of a connection begins with it, the second with its first byte`() {
        var arrival = RequestArrival(opening: 5)
        arrival.start(at: 7)
        #expect(arrival.isFirst && arrival.began(at: 9) == 5)
        arrival.reset()
        #expect(!arrival.isFirst && arrival.began(at: 20) == 20)
        arrival.start(at: 21)
        arrival.start(at: 22)
        #expect(arrival.began(at: 30) == 21)
    }

    @Test func `what was kept began when it was read`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didKeep(at: 10)
        for moment in [20 as UInt64, 30] {
            arrival.reset()
            arrival.beginWithKept()
            #expect(arrival.began(at: moment) == 10)
        }
    }

    @Test func `what was found waiting began no later than that`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didFindWaiting(isNext: true, at: 10)
        arrival.didFindWaiting(isNext: true, at: 11)
        #expect(arrival.began(at: 12) == 0)
        arrival.reset()
        #expect(arrival.began(at: 20) == 10)
        arrival.didKeep(at: 21)
        arrival.reset()
        #expect(arrival.began(at: 30) == 30)
        arrival.beginWithKept()
        #expect(arrival.began(at: 30) == 10)
        arrival.reset()
        arrival.didFindWaiting(isNext: false, at: 40)
        #expect(arrival.began(at: 50) == 40)
    }

    @Test func `the first stream of a connection begins with it, the others with their field blocks`() {
        var arrival = RequestArrival(opening: 5)
        let streams = [7, 7, 9].map { arrival.takeStream(at: $0, offset: 0).began(at: 20) }
        #expect(streams == [5, 7, 9])
    }

    @Test func `every stream that may have been found waiting began no later than that`() {
        var arrival = RequestArrival(opening: 0)
        _ = arrival.takeStream(at: 1, offset: 0)
        arrival.didFindWaiting(isNext: false, at: 10)
        arrival.didReadAll()
        #expect(arrival.hasWaiting, "nothing was read since")
        arrival.didRead(60)
        #expect([12, 13].map { arrival.takeStream(at: $0, offset: 0).began(at: 20) } == [10, 10])
        arrival.didReadAll()
        #expect(!arrival.hasWaiting)
        #expect(arrival.takeStream(at: 14, offset: 60).began(at: 20) == 14)
    }

    @Test func `a stream behind the bytes that were found waiting is not among them`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didRead(100)
        _ = arrival.takeStream(at: 1, offset: 24)
        arrival.didFindWaiting(isNext: false, byteCount: 30, at: 10)
        arrival.didFindWaiting(isNext: false, byteCount: 40, at: 11)
        arrival.didRead(70)
        #expect(arrival.takeStream(at: 12, offset: 139).began(at: 20) == 10)
        #expect(arrival.takeStream(at: 12, offset: 140).began(at: 20) == 12)
        #expect(!arrival.hasWaiting)
        arrival.didFindWaiting(isNext: false, at: 15)
        #expect(arrival.takeStream(at: 16, offset: 1_000).began(at: 20) == 15)
    }
}
