import Dispatch
import FuzzSupport
import ProctorBase
import ProctorLoop
import ProctorQUIC
import ProctorQUICLink
import ProctorQUICWire
import ProctorTLS

/// A server of QUIC at a port of loopback, and a client whose handshake with it is over.
final class World: Sendable {
    static let only = World()

    let loop: EventLoop
    private let server: QUICEndpoint
    private let context: QUICClientContext
    private let state: LoopBound<State>
    private let isReady = DispatchSemaphore(value: 0)

    final class State {
        var client: Client?
        var packetNumber: UInt32 = 1_000
        var isAwaited = false
        var newClientNumber: UInt32 = 0
    }

    private init() {
        do {
            let group = try EventLoopGroup(count: 1)
            let loop = group.loops[0]
            self.loop = loop
            state = LoopBound(State(), on: loop)
            var setup = TLSClientSetup()
            setup.applicationProtocols = ["h3"]
            context = try QUICClientContext(setup)
            let authority = try Authority.open(
                .ephemeral(seed: 1), catalog: CertificateCatalog.load(folders: ["certs"]).catalog)
            let identity = try authority.identity("valid", names: .loopback)
            let certificate = try QUICServerContext(identity: identity, protocols: ["h3"])
            let made = Locked<QUICEndpoint?>(nil)
            let isBound = DispatchSemaphore(value: 0)
            loop.submit {
                let endpoint = try? QUICEndpoint(
                    on: loop, address: .ipv4(host: "127.0.0.1", port: 0)
                ) { _ in ServerEnd(certificate) }
                made.withLock { $0 = endpoint }
                isBound.signal()
            }
            isBound.wait()
            guard let endpoint = made.withLock({ $0 }) else { finding("no port") }
            server = endpoint
            Task(executorPreference: loop) { await endpoint.serve() }
        } catch {
            finding("\(error)")
        }
    }

    /// Opens a client's connection, and waits until its handshake is over; called by libFuzzer's thread.
    func awaitHandshake() {
        loop.submit { self.open() }
        isReady.wait()
    }

    private func open() {
        let state = state.value
        if let client = state.client, client.link?.end == nil, client.isOpen { return _ = isReady.signal() }
        let client = Client { self.isReady.signal() }
        state.client = client
        state.packetNumber = 1_000
        do {
            let endpoint = try QUICEndpoint(dialling: server.address, on: loop)
            client.address = endpoint.address
            client.link =
                try endpoint.dial(server.address, host: "localhost", context: context, handler: client)
                as? QUICConnection
            client.serving = Task(executorPreference: loop) { await endpoint.serve() }
        } catch {
            finding("\(error)")
        }
    }

    /// Plays an input; on the loop.
    func play(_ given: FuzzInput) {
        var input = given
        let state = state.value
        let kind = input.byte()
        switch kind & 7 {
        case 0: send(input.remaining, from: state)
        case 1:
            let bytes = input.remaining
            send(bytes + [UInt8](repeating: 0, count: max(0, 1_200 - bytes.count)), from: state)
        case 2: sendInitial(input.remaining, from: state)
        case 3: sendInitial(HelloBytes.frame(changedBy: &input), from: state)
        default:
            while !input.remaining.isEmpty, let client = state.client, client.isOpen {
                let length = input.number() & 0x3FF
                let frames = (0..<min(length, input.remaining.count)).map { _ in input.byte() }
                state.packetNumber += 1
                guard let packet = client.link?.sealPacket(frames, number: state.packetNumber) else { return }
                send(packet, from: state)
            }
        }
    }

    private func send(_ datagram: [UInt8], from state: State) {
        guard let address = state.client?.address else { return }
        server.read(datagram, from: address, at: MonotonicClock.nanoseconds)
    }

    private func sendInitial(_ frames: [UInt8], from state: State) {
        state.newClientNumber &+= 1
        let id = [7, 7, 7, 7] + (0..<4).map { UInt8(truncatingIfNeeded: state.newClientNumber >> UInt32(8 * $0)) }
        guard
            let packet = InitialKeys(id, isClient: true)?.seal(
                frames, to: id, from: HelloBytes.source, filledTo: 1_200)
        else { return }
        send(packet, from: state)
    }
}

/// A ClientHello that passes, with bytes changed.
enum HelloBytes {
    static let source: [UInt8] = [1, 2]

    private static let whole: [UInt8] = {
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        func entry(_ type: Int, _ content: [UInt8]) -> [UInt8] { number(type) + number(content.count) + content }
        let list =
            entry(43, [2, 3, 4]) + entry(10, [0, 2, 0, 0x1D]) + entry(13, [0, 4, 4, 3, 8, 4])
            + entry(51, number(36) + number(0x1D) + number(32) + [UInt8](repeating: 9, count: 32))
            + entry(16, [0, 3, 2, 0x68, 0x33]) + entry(57, [0x0F, 2] + source + [4, 4, 0x80, 1, 0, 0])
        let body = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 1, 1, 0] + number(list.count) + list
        return [1, 0] + number(body.count) + body
    }()

    static func frame(changedBy input: inout FuzzInput) -> [UInt8] {
        var hello = whole
        while !input.remaining.isEmpty { hello[input.number() % hello.count] = input.byte() }
        return [6, 0, UInt8(0x40 | hello.count >> 8), UInt8(hello.count & 0xFF)] + hello
    }
}

/// The server's end of each connection: it goes on with handshakes, and takes what comes.
final class ServerEnd: QUICConnectionHandler {
    private let certificate: QUICServerContext

    init(_ certificate: QUICServerContext) { self.certificate = certificate }

    func receive(_ event: QUICEvent, on connection: any QUICLink) {
        switch event {
        case .helloReceived: connection.beginHandshake(certificate)
        case .received(let stream, let bytes, let ends):
            connection.credit(bytes.count, on: stream)
            if ends, stream & 3 == 0 { connection.send(bytes, on: stream, ends: true) }
        case .reset(let stream, _): if stream & 3 == 0 { connection.reset(stream, code: 0x100) }
        default: break
        }
    }
}

/// The client's end, whose keys seal what the fuzzer has chosen.
final class Client: QUICConnectionHandler {
    var link: QUICConnection?
    var address: SocketAddress?
    var serving: Task<Void, Never>?
    private(set) var isOpen = false
    private var tellReady: (() -> Void)?

    init(_ tellReady: @escaping () -> Void) { self.tellReady = tellReady }

    func receive(_ event: QUICEvent, on connection: any QUICLink) {
        switch event {
        case .asksForTrust: connection.answerTrust(true)
        case .handshakeCompleted:
            isOpen = true
            tellReady.take()?()
        case .ended:
            isOpen = false
            tellReady.take()?()
            link = nil
        default: break
        }
    }
}
