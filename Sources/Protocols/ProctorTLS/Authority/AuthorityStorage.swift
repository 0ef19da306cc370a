internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where the private authority is stored.
public enum AuthorityStorage: Sendable, Hashable {
    /// `PROCTOR_CA_DIR`, or the user's data directory: `$XDG_DATA_HOME/proctor/ca`, `~/.local/share/proctor/ca`, on
    /// Darwin `~/Library/Application Support/Proctor/CA`.
    case userData
    /// A folder, created when missing; its parent must exist.
    case folder(String)
    /// In memory, with client files in a temporary folder that is removed with the authority.
    ///
    /// With a seed, keys and, within a day, certificates are reproducible; nil means random ones.
    case ephemeral(seed: UInt64?)
}

/// Finds the folder of the user's authority and the name of its owner.
struct AuthorityFolder {
    private let environment: [String: String]?

    init(_ environment: [String: String]?) {
        self.environment = environment
    }

    /// `PROCTOR_CA_DIR`, or a folder of the user's data.
    func path() throws(AuthorityError) -> String {
        if let folder = value("PROCTOR_CA_DIR") { return folder }
        #if !canImport(Darwin)
            // The XDG specification ignores relative paths.
            if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/proctor/ca" }
        #endif
        guard let home = value("HOME"), home.hasPrefix("/") else {
            throw AuthorityError(
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

    /// `ann@laptop`, as far as the environment says.
    var owner: String {
        var name = [CChar](repeating: 0, count: 256)
        let isKnown = unsafe gethostname(&name, name.count - 1) == 0
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let user = value("USER") ?? value("LOGNAME") ?? "user \(geteuid())"
        return isKnown && !host.isEmpty ? "\(user)@\(host.prefix { $0 != "." })" : user
    }

    /// nil for an unset or empty variable.
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

/// Why there is no authority, or no such certificate.
package struct AuthorityError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of errors that callers distinguish.
    package enum Reason: Sendable, Equatable {
        /// The folder cannot be created, read or written.
        case place
        /// Another user could read or change the keys, so they are not used.
        case permissions
        /// OpenSSL does not support what the profile requires.
        case notOffered
        /// No profile or client identity has that name.
        case unknownName
        /// The name is outside the authority's name constraints.
        case nameNotPermitted
    }

    package let reason: Reason
    /// What failed, where, what was expected and what to do.
    package let description: String

    init(_ reason: Reason, _ description: String) {
        (self.reason, self.description) = (reason, description)
    }

    /// Runs a call that OpenSSL may refuse; the error begins with `refusal` and ends with OpenSSL's reason.
    static func notOffered<Result>(
        _ refusal: String, _ body: () throws(CallFailure) -> Result
    ) throws(AuthorityError) -> Result {
        do throws(CallFailure) {
            return try body()
        } catch {
            throw AuthorityError(.notOffered, "\(refusal): \(error)")
        }
    }
}
