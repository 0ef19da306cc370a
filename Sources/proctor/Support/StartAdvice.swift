internal import ProctorBase
internal import ProctorLoop
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Turns a failed start into a sentence that says what to do.
enum StartAdvice {
    /// `secured` is where TLS was to be spoken, which has a flag of its own.
    static func text(for failure: ServerStartFailure, secured: SocketAddress? = nil) -> String {
        guard case .address(let address, let call) = failure else { return failure.description }
        let flag = address == secured ? "--tls-port" : "--port"
        switch call.code {
        case EADDRINUSE where address.port == nil && !isSocket(address.description):
            return "\(address) is there already and is no socket; choose another path with --unix PATH"
        case EADDRINUSE where address.port == nil:
            return "somebody listens on \(address) already; stop that, or choose another path with --unix PATH"
        case EADDRINUSE:
            let holder = PortHolder.find(address).map { " by \($0)" } ?? ""
            return "\(address) is taken\(holder); stop that, or choose another with \(flag) N (0 takes a free one)"
        case EACCES:
            return "\(address) may not be listened on: \(call.text); ports below 1024 are for root, use \(flag)"
        case EADDRNOTAVAIL:
            return "this machine has no address \(address); see --host"
        default:
            return "can't listen on \(address): \(call.text)"
        }
    }

    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}

/// Finds out who listens on a port, where the system tells (Linux, for processes that we may look into).
enum PortHolder {
    /// The holder as `name (pid 123)`.
    static func find(_ address: SocketAddress) -> String? {
        #if os(Linux)
            // The system's list is read in pieces, and leaves some out when sockets come and go in between.
            for _ in 0..<5 {
                if let inode = listeningInode(address), let holder = holder(of: inode) { return holder }
            }
        #endif
        return nil
    }

    #if os(Linux)
        private static func holder(of inode: Substring) -> String? {
            for process in (try? FolderList.names(in: "/proc")) ?? [] {
                guard let pid = Int(process) else { continue }
                for descriptor in (try? FolderList.names(in: "/proc/\(pid)/fd")) ?? []
                where target(of: "/proc/\(pid)/fd/\(descriptor)") == "socket:[\(inode)]" {
                    return "\(commandName(pid)) (pid \(pid))"
                }
            }
            return nil
        }

        /// Field 10 of the line whose local address is this or any, whose port fits, and whose state is 0A, listening.
        private static func listeningInode(_ address: SocketAddress) -> Substring? {
            guard let port = address.port else { return nil }
            let suffix = ":" + hexadecimal(Int(port), digitCount: 4)
            for (path, host) in [("/proc/net/tcp", ipv4Text(address)), ("/proc/net/tcp6", ipv6Text(address))] {
                for line in text(of: path).split(separator: "\n").dropFirst() {
                    let words = line.split(separator: " ", omittingEmptySubsequences: true)
                    guard words.count > 9, words[1].hasSuffix(suffix), words[3] == "0A" else { continue }
                    let found = words[1].dropLast(suffix.count)
                    if host == String(found) || found.allSatisfy({ $0 == "0" }) { return words[9] }
                }
            }
            return nil
        }

        /// As the list writes it, last byte first; nil for another family.
        private static func ipv4Text(_ address: SocketAddress) -> String? {
            guard case .ipv4(let host, _) = address else { return nil }
            return host.split(separator: ".").reversed().map { hexadecimal(Int($0) ?? 0, digitCount: 2) }.joined()
        }

        /// The only IPv6 address that is served.
        private static func ipv6Text(_ address: SocketAddress) -> String? {
            guard case .ipv6("::1", _) = address else { return nil }
            return String(repeating: "0", count: 24) + "01000000"
        }

        private static func hexadecimal(_ number: Int, digitCount: Int) -> String {
            let digits = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, digitCount - digits.count)) + digits
        }

        private static func commandName(_ pid: Int) -> String {
            let name = text(of: "/proc/\(pid)/comm").split(separator: "\n").first.map(String.init)
            return name ?? "a process"
        }

        private static func target(of link: String) -> String? {
            unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                guard let start = buffer.baseAddress else { return nil }
                let count = unsafe readlink(link, start, buffer.count - 1)
                guard count > 0 else { return nil }
                unsafe buffer[count] = 0
                return unsafe String(cString: start)
            }
        }

        /// A file of /proc, which has no size to ask for; at most 4 MiB.
        private static func text(of path: String) -> String {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return "" }
            defer { close(descriptor) }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while bytes.count < 4 << 20 {
                let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                bytes += piece[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    #endif
}
