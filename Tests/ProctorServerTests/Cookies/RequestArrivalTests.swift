import Testing

@testable import ProctorServer

/// When a request counts as begun.
struct RequestArrivalTests {
    @Test func `the first request of a connection begins with it, the second with its first byte`() {
        var arrival = RequestArrival(opening: 5)
        arrival.begin(at: 7)
        #expect(arrival.isFirst && arrival.began(at: 9) == 5)
        arrival.end()
        #expect(!arrival.isFirst && arrival.began(at: 20) == 20)
        arrival.begin(at: 21)
        arrival.begin(at: 22)
        #expect(arrival.began(at: 30) == 21)
    }

    @Test func `what was kept began when it was read`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didKeep(at: 10)
        for moment in [20 as UInt64, 30] {
            arrival.end()
            arrival.beginWithKept()
            #expect(arrival.began(at: moment) == 10)
        }
    }

    @Test func `what was found waiting began no later than that`() {
        var arrival = RequestArrival(opening: 0)
        arrival.didFindWaiting(isNext: true, at: 10)
        arrival.didFindWaiting(isNext: true, at: 11)
        #expect(arrival.began(at: 12) == 0)
        arrival.end()
        #expect(arrival.began(at: 20) == 10)
        arrival.didKeep(at: 21)
        arrival.end()
        #expect(arrival.began(at: 30) == 30)
        arrival.beginWithKept()
        #expect(arrival.began(at: 30) == 10)
        arrival.end()
        arrival.didFindWaiting(isNext: false, at: 40)
        #expect(arrival.began(at: 50) == 40)
    }
}
