internal import ProctorBase

/// Instructions to add and remove the authority in programs and systems.
struct TrustInstructions {
    let path: String
    let fingerprint: String

    static let names = ["curl", "python", "node", "java", "debian", "macos", "ios-simulator"]

    func text(for system: String?) -> String {
        let names = system.map { [$0] } ?? Self.names
        let intro = """
            Whoever holds the key beside this certificate can vouch for localhost, loopback addresses, .test and
            example.org, .com and .net, and for nothing else. Prefer to trust it in one program; a whole system only
            where nothing of worth is done.

            """
        return (system == nil ? intro + "\n" : "") + names.map(section).joined(separator: "\n")
    }

    private func section(_ name: String) -> String {
        let (trust, stop) = steps(name)
        let lines = [name] + ["  trust it"] + trust.map { "    \($0)" } + ["  stop"] + stop.map { "    \($0)" }
        return lines.map { "\($0)\n" }.joined()
    }

    private func steps(_ name: String) -> (trust: [String], stop: [String]) {
        let file = quoted(path)
        switch name {
        case "curl":
            return (
                ["curl --cacert \(file) https://localhost:PORT/", "export CURL_CA_BUNDLE=\(file)"],
                ["leave --cacert out; unset CURL_CA_BUNDLE"]
            )
        case "python":
            return (
                [
                    "export SSL_CERT_FILE=\(file)        # ssl, urllib, httpx",
                    "export REQUESTS_CA_BUNDLE=\(file)   # requests",
                    "ssl.create_default_context(cafile=\"\(path)\")   # in a program",
                ], ["unset SSL_CERT_FILE REQUESTS_CA_BUNDLE"]
            )
        case "node":
            return (["export NODE_EXTRA_CA_CERTS=\(file)   # before node starts"], ["unset NODE_EXTRA_CA_CERTS"])
        case "java":
            return (
                [
                    "keytool -importcert -noprompt -alias proctor-local-test -file \(file) "
                        + "-keystore proctor.p12 -storetype PKCS12 -storepass proctor",
                    "java -Djavax.net.ssl.trustStore=proctor.p12 -Djavax.net.ssl.trustStorePassword=proctor ...",
                ], ["leave the two properties out; rm proctor.p12"]
            )
        case "debian":
            return (
                [
                    "sudo cp \(file) /usr/local/share/ca-certificates/proctor-local-test.crt",
                    "sudo update-ca-certificates",
                ],
                [
                    "sudo rm /usr/local/share/ca-certificates/proctor-local-test.crt",
                    "sudo update-ca-certificates --fresh",
                ]
            )
        case "macos":
            return (
                [
                    "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(file)"
                ],
                [
                    "security remove-trusted-cert \(file)",
                    "security delete-certificate -Z \(fingerprint.filter { $0 != ":" }) "
                        + "~/Library/Keychains/login.keychain-db",
                ]
            )
        default:
            return (
                ["xcrun simctl keychain booted add-root-cert \(file)"],
                ["xcrun simctl keychain booted reset   # the whole keychain of the simulator"]
            )
        }
    }

    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            0x61...0x7A ~= byte || 0x41...0x5A ~= byte || 0x2D...0x3A ~= byte || byte == 0x5F
        }
        return isPlain ? text : "'" + text.replacing(text: "'", with: "'\\''") + "'"
    }
}
