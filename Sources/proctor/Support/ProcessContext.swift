#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the operating system gives a process.
struct ProcessContext {
    let arguments: [String]
    let environment: [String: String]

    static func current() -> ProcessContext {
        // A reader that went away must not end the server by SIGPIPE.
        _ = signal(SIGPIPE, SIG_IGN)
        return ProcessContext(
            arguments: Array(Swift.CommandLine.arguments.dropFirst()), environment: readEnvironment())
    }

    /// The process's streams, coloured where a person reads them.
    var output: Output {
        var output = Output.standard
        output.style = Style.ofStandardError(environment: environment)
        return output
    }

    private static func readEnvironment() -> [String: String] {
        #if canImport(Darwin)
            var entry = unsafe _NSGetEnviron().pointee
        #else
            var entry = unsafe environ
        #endif
        var variables: [String: String] = [:]
        while let text = unsafe entry.pointee {
            let words = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2 { variables[String(words[0])] = String(words[1]) }
            unsafe entry += 1
        }
        return variables
    }

    func exit(_ code: ExitCode) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code.rawValue)
        #else
            Glibc.exit(code.rawValue)
        #endif
    }
}
