internal import ProctorBase
internal import ProctorScenario

#if canImport(Darwin)
    internal import Darwin
#endif

/// The path of the file that this process runs.
enum RunningProgram {
    /// nil when the system does not provide it.
    static var path: String? { try? resolved.get() }

    /// Why the system could not provide it, where another start may succeed.
    static var shortage: CallFailure? {
        if case .failure(let failure) = resolved, failure.isTransient { failure } else { nil }
    }

    static var folder: String? {
        guard let path, let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[..<slash])
    }

    private static let resolved: Result<String, CallFailure> = {
        do throws(CallFailure) { return .success(try FileBytes.resolve(try given)) } catch { return .failure(error) }
    }()

    /// The path by which the system knows the program, with links.
    private static var given: String {
        get throws(CallFailure) {
            #if canImport(Darwin)
                var size = UInt32(PATH_MAX)
                let path = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(size)) {
                    buffer -> String? in
                    guard let start = buffer.baseAddress, unsafe _NSGetExecutablePath(start, &size) == 0 else {
                        return nil
                    }
                    return unsafe String(cString: start)
                }
                guard let path else { throw .system("_NSGetExecutablePath", code: ENAMETOOLONG) }
                return path
            #else
                return "/proc/self/exe"
            #endif
        }
    }
}
