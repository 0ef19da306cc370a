#if canImport(Darwin)
    internal import Foundation
#endif

/// Which URLSession this is, for the header of a trace.
public enum ClientIdentity {
    /// As ledgers are named.
    public static var name: String {
        #if canImport(Darwin)
            "urlsession-darwin"
        #else
            "urlsession-corelibs"
        #endif
    }

    /// Of the system; on Linux, where Foundation does not say, of the toolchain it was built with.
    public static var version: String {
        #if canImport(Darwin)
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        #elseif compiler(>=6.5)
            return "6.5 or later"
        #elseif compiler(>=6.4)
            return "6.4"
        #elseif compiler(>=6.3.3)
            return "6.3.3 or later"
        #elseif compiler(>=6.3.2)
            return "6.3.2"
        #elseif compiler(>=6.3.1)
            return "6.3.1"
        #elseif compiler(>=6.3)
            return "6.3"
        #else
            return "6.2"
        #endif
    }
}
