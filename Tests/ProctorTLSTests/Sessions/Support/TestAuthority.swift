import Foundation
import ProctorBase
import ProctorTLS
import ProctorTestSupport
import Testing

/// A root with a few certificates, made by the command-line tool once in a process.
struct TestAuthority: Sendable {
    let folder: String
    let root: [UInt8]
    /// EC P-256, for localhost and 127.0.0.1.
    let server: ServerIdentity
    /// RSA of 2,048 bits.
    let rsaServer: ServerIdentity
    let expiredServer: ServerIdentity
    let alice: ClientIdentity
    /// Signed by herself.
    let stranger: ClientIdentity

    /// PEM of the root.
    var rootPath: String { "\(folder)/root.pem" }

    static var shared: TestAuthority {
        get async throws { try await making.value }
    }

    private static let making = Task {
        let folder = "\(TemporaryFolder.path)/proctor-tls-tests-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = try await ChildProcess.run(["/bin/sh", "-e", "-c", Self.script], in: folder)
        try #require(script.status == 0, "\(script.err)")
        func read(_ name: String) throws -> [UInt8] {
            try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        }
        func server(_ name: String) throws -> ServerIdentity {
            try ServerIdentity(chain: [read("\(name).der")], key: read("\(name).key.der"), profile: name)
        }
        func client(_ name: String) throws -> ClientIdentity {
            try ClientIdentity(name: name, chain: [read("\(name).der")], key: read("\(name).key.der"))
        }
        return try TestAuthority(
            folder: folder, root: read("root.der"), server: server("server"), rsaServer: server("rsa"),
            expiredServer: server("expired"), alice: client("alice"), stranger: client("stranger"))
    }

    private static let script = """
        ec="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        openssl req -x509 $ec -keyout root.key -out root.pem -days 2 -subj /CN=test-root \
            -addext basicConstraints=critical,CA:true -addext keyUsage=critical,keyCertSign,cRLSign
        leaf() {
            name=$1; key=$2; usage=$3; days=$4
            openssl req $key -nodes -keyout $name.key -out $name.csr -subj /CN=$name
            printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\nextendedKeyUsage=%s\\n' $usage > $name.ext
            openssl x509 -req -in $name.csr -CA root.pem -CAkey root.key -CAcreateserial -out $name.pem \
                -days $days -extfile $name.ext
        }
        leaf server "$ec" serverAuth 2
        leaf rsa "-newkey rsa:2048" serverAuth 2
        leaf expired "$ec" serverAuth -1
        leaf alice "$ec" clientAuth 2
        openssl req -x509 $ec -keyout stranger.key -out stranger.pem -days 2 -subj /CN=stranger
        for name in root server rsa expired alice stranger; do
            openssl x509 -in $name.pem -outform DER -out $name.der
            openssl pkcs8 -topk8 -nocrypt -in $name.key -outform DER -out $name.key.der
        done
        """
}
