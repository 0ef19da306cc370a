import FuzzSupport
import ProctorQUICLink
import ProctorQUICWire

/// Input: one byte that says what is read, and the rest.
///
/// 0 a datagram of a client, 1 of a server, 2 frames of an Initial packet, 3 transport parameters of a client, 4 of a server, 5
/// pieces of CRYPTO (an offset of two bytes, a length, bytes), 6 a ClientHello, in two pieces at the place of the next byte,
/// 7 packets of a client to a server's guard: each has a byte of options, two of its length, and frames that are sealed.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    switch input.byte() & 7 {
    case 0: readDatagram(input.remaining, by: .client)
    case 1: readDatagram(input.remaining, by: .server)
    case 2: readFrames(input.remaining)
    case 3: readParameters(input.remaining, of: .client)
    case 4: readParameters(input.remaining, of: .server)
    case 5: readPieces(input)
    case 6:
        let place = Int(input.byte())
        readHello(input.remaining, cutAt: place)
    default: openPackets(input)
    }
    return 0
}

private func readDatagram(_ bytes: [UInt8], by sender: DatagramReading.Sender) {
    guard case .packets(let packets)? = try? DatagramReading(bytes.span, by: sender) else { return }
    var end = 0
    for header in packets.long {
        check(header.range.lowerBound == end, "a gap at \(end)")
        check(header.protected.count >= 16 && header.range.upperBound <= bytes.count, "\(header)")
        check(header.destination.count <= 20 && header.source.count <= 20, "\(header)")
        end = header.range.upperBound
    }
    if let short = packets.short { end = short.upperBound }
    check(packets.rest == end..<bytes.count, "\(packets.rest) behind \(end)")
    check(packets.rest.isEmpty == (packets.restFault == nil), "a rest without a fault")
}

private func readFrames(_ payload: [UInt8]) {
    guard let frames = try? InitialFrames(payload.span) else { return }
    for frame in frames.crypto { check(frame.bytes.upperBound <= payload.count, "\(frame)") }
}

private func readParameters(_ bytes: [UInt8], of sender: TransportParameters.Sender) {
    guard let read = try? TransportParameters(bytes, of: sender) else { return }
    check(Set(read.values.map(\.id)).count == read.values.count, "one came twice")
    check(read.initialSource.count <= 20, "a long id")
}

/// Whatever order pieces come in, the same bytes stand at the front, unless some differ.
private func readPieces(_ given: FuzzInput) {
    var input = given
    var pieces: [(offset: UInt64, bytes: [UInt8])] = []
    while !input.remaining.isEmpty, pieces.count < 40 {
        let offset = UInt64(input.number())
        let length = Int(input.byte()) & 31
        pieces.append((offset, (0..<min(length, input.remaining.count)).map { _ in input.byte() }))
    }
    guard let forward = gathered(pieces), let backward = gathered(pieces.reversed()) else { return }
    check(forward == backward, "\(shown(forward)) and \(shown(backward))")
}

private func gathered(_ pieces: [(offset: UInt64, bytes: [UInt8])]) -> [UInt8]? {
    var stream = CryptoStream()
    for piece in pieces where (try? stream.insert(piece.bytes[...], at: piece.offset)) == nil { return nil }
    check(stream.bytes.count <= CryptoStream.mostBytes, "\(stream.bytes.count) bytes")
    return stream.bytes
}

private func readHello(_ bytes: [UInt8], cutAt place: Int) {
    var (whole, cut) = (CryptoStream(), CryptoStream())
    let place = min(place, bytes.count)
    guard (try? whole.insert(bytes[...], at: 0)) != nil else { return }
    _ = try? cut.insert(bytes[place...], at: UInt64(place))
    _ = try? cut.insert(bytes[..<place], at: 0)
    check(whole.bytes == cut.bytes, "cut at \(place)")
    let read = try? OpeningHello.read(whole, source: [1, 2])
    if let read { check(read.parameters.initialSource == [1, 2], "another id") }
}

private let destination: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
private let source: [UInt8] = [1, 2]

/// What our client seals is opened by the guard; what passes is handed on with packets that it opened alone.
private func openPackets(_ given: FuzzInput) {
    var input = given
    guard let client = InitialKeys(destination, isClient: true),
        var guarded = OpeningGuard(destination: destination, source: source)
    else { return }
    for number in 0..<8 where !input.remaining.isEmpty {
        let options = input.byte()
        let length = input.number()
        let frames = (0..<min(length, input.remaining.count)).map { _ in input.byte() }
        guard
            var datagram = client.seal(
                frames, to: destination, from: source, number: UInt32(number), filledTo: options & 1 == 0 ? 1_200 : 0)
        else { return }
        if options & 2 != 0 { datagram[Int(options) % datagram.count] ^= 0x10 }
        if options & 4 != 0 { datagram += frames.prefix(64) }
        guard case .packets(let packets)? = try? DatagramReading(datagram.span, by: .client) else { continue }
        switch guarded.read(datagram, packets) {
        case .needsMore, .dropped: continue
        case .passed(_, let message, let datagrams):
            check(message.first == 1, "no ClientHello passed")
            check(datagrams.allSatisfy { $0.count >= DatagramReading.leastInitial }, "a datagram is too short")
            return
        case .refused(let fault):
            let close = guarded.close(.transport(fault.code, reason: fault.reason))
            check(close.map { $0.count <= 1_200 } ?? false, "no close")
            return
        case .closed: return
        }
    }
}
