#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Finds out who listens on a port, where the system tells (Linux, for processes that we may look into).
enum PortHolder {
    /// As `name (pid 123)`.
    static func find(port: UInt16) -> String? {
        #if os(Linux)
            guard let inode = listeningInode(port) else { return nil }
            for process in names(in: "/proc") {
                guard let pid = Int(process) else { continue }
                for descriptor in names(in: "/proc/\(pid)/fd")
                where target(of: "/proc/\(pid)/fd/\(descriptor)") == "socket:[\(inode)]" {
                    return "\(commandName(pid)) (pid \(pid))"
                }
            }
        #endif
        return nil
    }

    #if os(Linux)
        /// Field 10 of the line whose local port fits and whose state is 0A, listening.
        private static func listeningInode(_ port: UInt16) -> Substring? {
            let digits = String(port, radix: 16, uppercase: true)
            let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
            for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
                for line in text(of: path).split(separator: "\n").dropFirst() {
                    let words = line.split(separator: " ", omittingEmptySubsequences: true)
                    if words.count > 9, words[1].hasSuffix(suffix), words[3] == "0A" { return words[9] }
                }
            }
            return nil
        }

        private static func commandName(_ pid: Int) -> String {
            let name = text(of: "/proc/\(pid)/comm").split(separator: "\n").first.map(String.init)
            return name ?? "a process"
        }

        private static func names(in folder: String) -> [String] {
            guard let handle = unsafe opendir(folder) else { return [] }
            defer { unsafe closedir(handle) }
            var names: [String] = []
            while let entry = unsafe readdir(handle) {
                names.append(
                    unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                        unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
                    })
            }
            return names
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
