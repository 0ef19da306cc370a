#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the user's own authority lives, and what it is called.
struct AuthorityFolder {
    private let environment: [String: String]?

    /// The process's own environment where there is none.
    init(_ environment: [String: String]?) {
        self.environment = environment
    }

    /// `PROCTOR_CA_DIR`, or a folder of the user's data.
    func path() throws(AuthorityRefusal) -> String {
        if let folder = value("PROCTOR_CA_DIR") { return folder }
        #if !canImport(Darwin)
            // The specification has relative paths ignored.
            if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/proctor/ca" }
        #endif
        guard let home = value("HOME"), home.hasPrefix("/") else {
            throw AuthorityRefusal(
                .place,
                "there is no HOME, so the private authority has no place; name one with --ca-dir or PROCTOR_CA_DIR, or "
                    + "do without one with --ephemeral-ca")
        }
        #if canImport(Darwin)
            return "\(home)/Library/Application Support/Proctor/CA"
        #else
            return "\(home)/.local/share/proctor/ca"
        #endif
    }

    /// `ann@laptop`, as far as that is known.
    var owner: String {
        var name = [CChar](repeating: 0, count: 256)
        let isKnown = unsafe gethostname(&name, name.count - 1) == 0
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let user = value("USER") ?? value("LOGNAME") ?? "user \(geteuid())"
        return isKnown && !host.isEmpty ? "\(user)@\(host.prefix { $0 != "." })" : user
    }

    /// Of a variable that is set and not empty.
    private func value(_ name: String) -> String? {
        let value: String?
        if let environment {
            value = environment[name]
        } else {
            value = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }
}
