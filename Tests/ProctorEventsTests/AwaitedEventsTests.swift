import ProctorEvents
import Testing

/// Which events of a client a run is told of.
struct AwaitedEventsTests {
    private func told(_ names: [String], lanes: [Lane] = Lane.allCases, _ lane: Lane, _ name: EventName) throws -> Bool
    {
        try #require(AwaitedEvents(names, lanes: lanes)).contains(TraceEvent(lane: lane, name: name))
    }

    @Test func `awaited names match in the lanes of a client, when a callback begins`() throws {
        for lane in [Lane.task, .session] { #expect(try told(["challenge"], lane, .challenge)) }
        #expect(try told(["handler"], .handler, .handler))
        #expect(try told(["p.start"], .proto, .pStart))
        #expect(try told(["resume"], .harness, .resume))
        #expect(try told(["data"], .task, .response) == false)
        #expect(try told(["request"], .wire, .request) == false)
        let exit = TraceEvent(lane: .task, name: .data, phase: .exit)
        let awaited = try #require(AwaitedEvents(["data"]))
        #expect(!awaited.contains(exit))
    }

    @Test func `events of a URLProtocol's client count where the client reports no lane task`() throws {
        #expect(try told(["data"], .protocolClient, .data) == false)
        #expect(try told(["data"], lanes: [.proto, .protocolClient, .harness], .protocolClient, .data))
    }

    @Test func `without awaited names there is no value, and an unknown name never matches`() throws {
        #expect(AwaitedEvents(nil) == nil && AwaitedEvents([]) == nil)
        for name in EventName.allCases { #expect(try told(["dataa"], .task, name) == false) }
    }

    @Test func `a client that reports only results cannot report awaited events`() {
        #expect(!AwaitedEvents.canBeReported(in: [.harness]) && !AwaitedEvents.canBeReported(in: [.wire]))
        for lane in [Lane.task, .session, .proto, .protocolClient, .handler] {
            #expect(AwaitedEvents.canBeReported(in: [.harness, lane]))
        }
    }
}
