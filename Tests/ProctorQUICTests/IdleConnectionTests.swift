import ProctorBase
import ProctorLoop
import ProctorQUICLink
import ProctorTLS
import ProctorTestSupport
import Testing

@testable import ProctorQUIC

/// How often an idle connection has work; the moments of its timers are counted, and no time passes.
@Suite(.limit(minutes: 5))
struct IdleConnectionTests {
    /// A client that trusts every server, and then says nothing; loop thread only.
    private final class SilentClient: QUICConnectionHandler {
        private(set) var isOpen = false

        func receive(_ event: QUICEvent, on connection: any QUICLink) {
            switch event {
            case .asksForTrust: connection.answerTrust(true)
            case .handshakeCompleted: isOpen = true
            default: break
            }
        }
    }

    /// The moments at which an end wakes until it has no connection any more, in nanoseconds from now on.
    private static func wakeUps(of state: EndpointState, most: Int) -> [UInt64] {
        let now = MonotonicClock.nanoseconds
        var moments: [UInt64] = []
        while state.connectionCount > 0, state.nextExpiry < .max, moments.count < most {
            let moment = state.nextExpiry
            moments.append(moment > now ? moment - now : 0)
            state.expire(max(now, moment))
        }
        return moments
    }

    /// Waits until nothing is due within half a second, so that all that was sent is acknowledged.
    private static func waitForQuiet(of state: EndpointState, on loop: EventLoop) async throws {
        let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
        while state.nextExpiry < MonotonicClock.nanoseconds + 500_000_000 {
            try #require(MonotonicClock.nanoseconds < end, "the end is never quiet")
            _ = await loop.sleep(for: .milliseconds(2))
        }
    }

    @Test func `an idle connection wakes its loop to be packed, to end and to be forgotten`() async throws {
        var limits = QUICLimits()
        limits.idleTimeout = 3_600_000_000_000
        try await ServedPort.serve(limits) { [limits] served in
            var setup = TLSClientSetup()
            setup.applicationProtocols = ["h3"]
            let client = try QUICEndpoint(dialling: served.address, on: served.loop, limits: limits)
            let handler = SilentClient()
            _ = try client.dial(
                served.address, host: "localhost", context: try QUICClientContext(setup), handler: handler)
            async let serving: Void = client.serve()
            try await served.see("opened")
            #expect(handler.isOpen)
            for state in [served.endpoint.state.value, client.state.value] {
                try await Self.waitForQuiet(of: state, on: served.loop)
                let moments = Self.wakeUps(of: state, most: 20)
                #expect(state.connectionCount == 0 && moments.count <= 3, "\(moments)")
                // The idle timeout is the one that both ends have told (RFC 9000 §10.1).
                #expect(moments.contains { $0 > 3_500_000_000_000 }, "\(moments)")
            }
            client.stop(.application(0x100))
            await serving
        }
    }
}
