import ProctorEvents
import Testing

struct TraceWriterTests {
    @Test func `unknown values are left out`() {
        let lines = [
            TraceEvent(lane: .proto, name: .pStart),
            TraceEvent(time: .elsewhere(12.5), lane: .task, name: .data),
            TraceEvent(time: .elsewhere(.infinity), lane: .task, name: .data),
        ].map { String(decoding: TraceWriter.line($0), as: UTF8.self) }
        #expect(
            lines == [
                "{\"lane\":\"proto\",\"ev\":\"p.start\"}\n", "{\"ms\":12.5,\"lane\":\"task\",\"ev\":\"data\"}\n",
                "{\"lane\":\"task\",\"ev\":\"data\"}\n",
            ])
    }
}
