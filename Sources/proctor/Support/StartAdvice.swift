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
