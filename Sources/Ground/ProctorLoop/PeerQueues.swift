internal import CUV
internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the system reports about the peer of a connection within this machine.
enum PeerQueue: Equatable {
    /// Bytes that the peer's program has not read, and how many arrived in total (nil if this kernel does not report
    /// it).
    case waiting(byteCount: UInt32, receivedByteCount: UInt64?)
    case closed
    /// The system is about to remove the peer's socket; if it sends an RST, it does so only then.
    case leaving
    case absent
    case unavailable
}

#if !canImport(Darwin)
    /// Asks Linux for the receive queues of other processes' TCP sockets (NETLINK_SOCK_DIAG); loop thread only.
    ///
    /// The kernel answers before `send` returns, so no call waits. It needs no privilege.
    @safe final class PeerQueues {
        /// -1 before the first use, -2 after the system refused it.
        private var descriptor: Int32 = -1
        private var sequence: UInt32 = 0

        /// The identity of a socket in the kernel's form: the peer's own address first.
        struct Question {
            fileprivate var request: inet_diag_req_v2

            /// nil for anything but TCP.
            init?(peerOf descriptor: Int32) {
                let ours = SocketAddress.ofSocket(descriptor, peer: false)
                let theirs = SocketAddress.ofSocket(descriptor, peer: true)
                guard let ourPort = ours.port, let ourHost = ours.hostBytes, let theirPort = theirs.port,
                    let theirHost = theirs.hostBytes, ourHost.count == theirHost.count
                else { return nil }
                var identity = inet_diag_sockid()
                identity.idiag_sport = theirPort.bigEndian
                identity.idiag_dport = ourPort.bigEndian
                identity.idiag_cookie = (.max, .max)
                unsafe withUnsafeMutableBytes(of: &identity.idiag_src) { unsafe $0.copyBytes(from: theirHost) }
                unsafe withUnsafeMutableBytes(of: &identity.idiag_dst) { unsafe $0.copyBytes(from: ourHost) }
                request = inet_diag_req_v2()
                request.sdiag_family = UInt8(ourHost.count == 4 ? AF_INET : AF_INET6)
                request.sdiag_protocol = UInt8(IPPROTO_TCP)
                request.idiag_states = .max
                request.idiag_ext = 1 << (UInt8(INET_DIAG_INFO) - 1)
                request.id = identity
            }
        }

        func queue(at question: Question) -> PeerQueue {
            guard isOpen, ask(question.request) else { return .unavailable }
            return readReply(to: question.request.id)
        }

        func close() {
            if descriptor >= 0 { closeDescriptor(descriptor) }
            descriptor = -2
        }

        private var isOpen: Bool {
            if descriptor == -1 {
                let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                descriptor = socket(AF_NETLINK, kind, NETLINK_SOCK_DIAG)
                if descriptor < 0 { descriptor = -2 }
            }
            return descriptor >= 0
        }

        private struct Message {
            var header = nlmsghdr()
            var request = inet_diag_req_v2()
        }

        private func ask(_ request: inet_diag_req_v2) -> Bool {
            sequence &+= 1
            var message = Message()
            message.header.nlmsg_len = UInt32(MemoryLayout<Message>.size)
            message.header.nlmsg_type = UInt16(SOCK_DIAG_BY_FAMILY)
            message.header.nlmsg_flags = UInt16(NLM_F_REQUEST)
            message.header.nlmsg_seq = sequence
            message.request = request
            return unsafe withUnsafeBytes(of: &message) { bytes in
                unsafe send(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
            }
        }

        private func readReply(to identity: inet_diag_sockid) -> PeerQueue {
            // An answer has about 500 bytes; the end of a longer one is not needed.
            unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while true {
                    let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
                    guard count >= MemoryLayout<nlmsghdr>.size else { return .unavailable }
                    let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    let header = unsafe bytes.loadUnaligned(as: nlmsghdr.self)
                    guard header.nlmsg_seq == sequence else { continue }
                    let content = unsafe UnsafeRawBufferPointer(rebasing: bytes[MemoryLayout<nlmsghdr>.size...])
                    return unsafe Self.read(content, type: Int32(header.nlmsg_type), of: identity)
                }
            }
        }

        private static func read(
            _ content: UnsafeRawBufferPointer, type: Int32, of identity: inet_diag_sockid
        ) -> PeerQueue {
            guard type == SOCK_DIAG_BY_FAMILY, content.count >= MemoryLayout<inet_diag_msg>.size else {
                guard type == NLMSG_ERROR, content.count >= MemoryLayout<Int32>.size else { return .unavailable }
                return unsafe content.loadUnaligned(as: Int32.self) == -ENOENT ? .absent : .unavailable
            }
            let message = unsafe content.loadUnaligned(as: inet_diag_msg.self)
            // If there is no such connection, the kernel finds a listener on that port.
            guard message.id.idiag_dport == identity.idiag_dport else { return .absent }
            guard message.idiag_state != TCPState.gone.rawValue else { return .leaving }
            let isOpen = [TCPState.established, .synReceived, .closeWait].contains {
                $0.rawValue == message.idiag_state
            }
            // A half-closed socket still has a file, unless its program has ended.
            if !isOpen, message.idiag_inode == 0 { return .closed }
            return .waiting(
                byteCount: message.idiag_rqueue,
                receivedByteCount: unsafe receivedByteCount(
                    UnsafeRawBufferPointer(rebasing: content[MemoryLayout<inet_diag_msg>.size...])))
        }

        /// `tcpi_bytes_received` of the attribute INET_DIAG_INFO; glibc's `tcp_info` ends before it.
        private static func receivedByteCount(_ attributes: UnsafeRawBufferPointer) -> UInt64? {
            let offsetInInfo = 128
            var start = 0
            while start + MemoryLayout<rtattr>.size <= attributes.count {
                let attribute = unsafe attributes.loadUnaligned(fromByteOffset: start, as: rtattr.self)
                let length = Int(attribute.rta_len)
                guard length >= MemoryLayout<rtattr>.size, start + length <= attributes.count else { return nil }
                if Int(attribute.rta_type) == INET_DIAG_INFO {
                    let offset = start + MemoryLayout<rtattr>.size + offsetInInfo
                    guard offset + MemoryLayout<UInt64>.size <= start + length else { return nil }
                    return unsafe attributes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                }
                start += (length + 3) & ~3
            }
            return nil
        }
    }

    /// The TCP states that are needed here, with the numbers of Linux.
    enum TCPState: UInt8 {
        case established = 1
        case synReceived = 3
        case finWait1 = 4
        case finWait2 = 5
        case gone = 7
        case closeWait = 8
    }
#endif
