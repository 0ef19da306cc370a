internal import ProctorBase
internal import ProctorLoop
internal import ProctorServer

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Turns a failed start into a sentence with advice.
enum StartAdvice {
    /// `secured` is the address of the TLS port, which has its own flag.
    static func text(for failure: ServerStartFailure, secured: SocketAddress? = nil) -> String {
        guard case .address(let address, let call) = failure else { return failure.description }
        return text(for: call, at: address, flag: address == secured ? "--tls-port" : "--port")
    }

    /// `flag` is that of the port; nil where the command has none of its own.
    static func text(for call: CallFailure, at address: SocketAddress, flag: String? = nil) -> String {
        switch call.code {
        case EADDRINUSE
        where address.port == nil && FileKind(of: address.description, followsLinks: false) != .socket:
            return "\(address) is there already and is no socket; choose another path with --unix PATH"
        case EADDRINUSE where address.port == nil:
            return "another program listens on \(address) already; stop that, or choose another path with --unix PATH"
        case EADDRINUSE:
            let holder = PortHolder.find(address).map { " by \($0)" } ?? ""
            let choice = flag.map { "with \($0) N" } ?? "port"
            return "\(address) is taken\(holder); stop that, or choose another \(choice) (0 takes a free one)"
        case EACCES:
            let advice = flag.map { ", use \($0)" } ?? ""
            return "\(address) may not be listened on: \(call.text); ports below 1024 are for root\(advice)"
        case EADDRNOTAVAIL:
            return "this machine has no address \(address)\(flag == nil ? "" : "; see --host")"
        default:
            return "can't listen on \(address): \(call.text)"
        }
    }
}

/// Finds the process that listens on a port (on Linux, if this user may read its descriptors).
enum PortHolder {
    static func find(_ address: SocketAddress) -> String? {
        #if os(Linux)
            // The system's list is read in parts, and lacks some lines when sockets are opened and closed meanwhile.
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
                where SystemFile.target(ofLink: "/proc/\(pid)/fd/\(descriptor)") == "socket:[\(inode)]" {
                    return "\(commandName(pid)) (pid \(pid))"
                }
            }
            return nil
        }

        /// Field 10 of the line with this local address or any address, this port, and state 0A (listening).
        private static func listeningInode(_ address: SocketAddress) -> Substring? {
            guard let port = address.port else { return nil }
            let suffix = ":" + hexadecimal(Int(port), digitCount: 4)
            for (path, host) in [("/proc/net/tcp", ipv4Text(address)), ("/proc/net/tcp6", ipv6Text(address))] {
                for line in text(of: path).split(separator: "\n").dropFirst() {
                    let words = line.split(separator: " ", omittingEmptySubsequences: true)
                    guard words.count > 9, words[1].hasSuffix(suffix), words[3] == "0A" else { continue }
                    let local = words[1].dropLast(suffix.count)
                    if host == String(local) || local.allSatisfy({ $0 == "0" }) { return words[9] }
                }
            }
            return nil
        }

        /// The address in the list's format, last byte first; nil for another family.
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

        /// The content of a file; empty when it can't be read.
        private static func text(of path: String) -> String {
            String(decoding: (try? InputFile.bytes(of: path)) ?? [], as: UTF8.self)
        }
    #endif
}
