internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTPClient

/// The hosts that asked to be asked by https alone (RFC 6797 §5.3); any thread may use it.
package final class StrictHosts: Sendable {
    private let clock: @Sendable () -> Int
    private let hosts: Locked<[String: StrictHost]>

    /// The most hosts; another one takes the place of that whose time ends first.
    private static let limit = 1_000

    /// Makes an empty store; `clock` returns Unix seconds, nil stands for the system's time.
    package init(clock: (@Sendable () -> Int)? = nil) {
        self.clock = clock ?? { SystemTime.now }
        hosts = Locked([:])
    }

    /// The hosts whose time is not over, by name.
    package var all: [StrictHost] {
        let now = clock()
        return hosts.withLock { $0.values.filter { $0.expiry > now } }.sorted { $0.name < $1.name }
    }

    /// Stores a host that an earlier process knew.
    package func restore(_ host: StrictHost) { hosts.withLock { $0[host.name] = host } }

    /// Heeds the first field of a reply that came over TLS without any fault (§8.1); an address asks for nothing (§8.1.1).
    func heed(_ values: [[UInt8]], from host: String) {
        guard let value = values.first, let policy = StrictTransportPolicy(parsing: value),
            let name = Self.name(host)
        else { return }
        let now = clock()
        hosts.withLock { hosts in
            // An age of 0 ends what was known (§6.1.1).
            hosts[name] =
                policy.maxAge == 0
                ? nil
                : StrictHost(
                    name: name, expiry: now + policy.maxAge, includesSubdomains: policy.includesSubdomains)
            if hosts.count > Self.limit, let first = hosts.values.min(by: { $0.expiry < $1.expiry }) {
                hosts[first.name] = nil
            }
        }
    }

    /// The URL by which a request goes out: of https where the host, or one above it that includes it, asked for that.
    ///
    /// Port 80 becomes 443, and any other port stays (RFC 6797 §8.2, §8.3).
    func secured(_ url: ClientURL) -> ClientURL {
        guard url.origin.scheme == .http, url.ownScheme == nil, let name = Self.name(url.origin.host), isKnown(name)
        else { return url }
        return (try? ClientURL("https" + url.text.dropFirst("http".count))) ?? url
    }

    private func isKnown(_ name: String) -> Bool {
        let now = clock()
        let labels = name.split(separator: ".")
        return hosts.withLock { hosts in
            labels.indices.contains { first in
                guard let host = hosts[labels[first...].joined(separator: ".")], host.expiry > now else { return false }
                return first == 0 || host.includesSubdomains
            }
        }
    }

    /// The name without the dot of the root; nil for an address.
    private static func name(_ host: String) -> String? {
        let labels = host.split(separator: ".")
        guard !host.contains(":"), let last = labels.last, !last.allSatisfy(\.isNumber) else { return nil }
        return labels.joined(separator: ".")
    }
}

/// A host that is asked by https alone.
package struct StrictHost: Sendable, Equatable {
    /// In lower case, without a dot at its end.
    package let name: String
    /// When that ends, in Unix seconds.
    package let expiry: Int
    package let includesSubdomains: Bool

    package init(name: String, expiry: Int, includesSubdomains: Bool) {
        (self.name, self.expiry, self.includesSubdomains) = (name, expiry, includesSubdomains)
    }
}
