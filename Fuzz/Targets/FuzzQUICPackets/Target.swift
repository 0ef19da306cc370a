import Dispatch
import FuzzSupport
import ProctorLoop

/// Input: one byte that says what is sent to a server of QUIC, and the rest.
///
/// 0 a datagram as it is, 1 the same with zeros behind it up to 1,200 bytes, 2 frames in an Initial packet of a new client, 3
/// changes of a ClientHello (a place of two bytes, a byte) in such a packet, others: frames in packets behind the handshake of a
/// client, each with two bytes of their length before them.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let world = World.only
    let done = DispatchSemaphore(value: 0)
    world.loop.submit {
        world.play(FuzzInput(bytes[...]))
        done.signal()
    }
    done.wait()
    world.awaitHandshake()
    return 0
}
