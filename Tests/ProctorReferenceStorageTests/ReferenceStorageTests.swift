import ProctorBase
import ProctorHTTP
import ProctorHTTPClient
import ProctorReference
import Testing

@testable import ProctorReferenceStorage

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A folder that is removed with this object.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        let (file, descriptor) = try NewFile.open(in: TemporaryFolder.path, named: "proctor-storage-test-")
        close(descriptor)
        _ = unsafe unlink(file)
        try #require(unsafe mkdir(file, 0o700) == 0)
        path = file
    }

    deinit {
        for name in (try? FolderList.names(in: path)) ?? [] { _ = unsafe unlink("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    func bytes(of name: String) -> [UInt8]? { OpenFile.content(of: "\(path)/\(name)", upTo: 1 << 26) }

    func write(_ bytes: [UInt8], to name: String) throws { try StorageFile.replace("\(path)/\(name)", by: bytes) }
}

struct ReferenceStorageTests {
    private let folder: TestFolder
    private let home = CookieURL(isSecure: true, host: "home.example.org", path: Array("/".utf8))

    init() throws { folder = try TestFolder() }

    /// A launch at that second.
    private func launch(at second: Int, fault: StorageFault? = nil) -> ReferenceStorage {
        ReferenceStorage(in: folder.path, cacheByteLimit: 1 << 20, fault: fault) { second }
    }

    private func cookies(_ storage: ReferenceStorage, path: String = "/", isSecure: Bool = true) -> String? {
        let place = CookieURL(isSecure: isSecure, host: "home.example.org", path: Array(path.utf8))
        return storage.cookies.field(for: place).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `lasting cookies are there at the next launch, and those of a session are not`() throws {
        let first = launch(at: 1_000)
        for field in ["z=1; Max-Age=100; Path=/", "s=2; Path=/", "a=3; Max-Age=50; Path=/"] {
            first.cookies.setCookie(Array(field.utf8), from: home)
        }
        #expect(cookies(first) == "z=1; s=2; a=3")
        try first.save()
        #expect(cookies(launch(at: 1_010)) == "z=1; a=3")
    }

    @Test func `the time of a cookie goes on between launches`() throws {
        let first = launch(at: 1_000)
        first.cookies.setCookie(Array("a=1; Max-Age=100; Path=/".utf8), from: home)
        try first.save()
        try launch(at: 1_090).save()
        #expect(cookies(launch(at: 1_100)) == "a=1")
        #expect(cookies(launch(at: 1_101)) == nil)
        // As often as it is written, the cookie ends at the same second.
        #expect(cookies(launch(at: 1_101, fault: .cookiesLiveAnew)) == "a=1")
    }

    struct Attribute: Sendable, CustomTestStringConvertible {
        let field: String
        let isSent: [String: Bool]
        var testDescription: String { field }

        static let rows = [
            Attribute(field: "a=1; Max-Age=9; Path=/shop", isSent: ["/shop/cart": true, "/page": false]),
            Attribute(field: "a=1; Max-Age=9; Path=/", isSent: ["/page": true]),
            Attribute(field: "a=1; Max-Age=9", isSent: ["/dir;x/y": true, "/dir": false, "/other": false]),
        ]
    }

    @Test(arguments: Attribute.rows) func `a cookie keeps its path`(row: Attribute) throws {
        let first = launch(at: 1_000)
        let place = CookieURL(isSecure: true, host: "home.example.org", path: Array("/dir;x/set".utf8))
        first.cookies.setCookie(Array(row.field.utf8), from: place)
        try first.save()
        let second = launch(at: 1_001)
        for (path, isSent) in row.isSent { #expect((cookies(second, path: path) != nil) == isSent, "\(path)") }
    }

    @Test func `a cookie is equal but for its numbers, whatever its attributes and octets are`() throws {
        let fields = [
            "a=1; Max-Age=9; Path=/; Secure; HttpOnly; SameSite=Lax", "b=\"one two\"; Max-Age=9; Path=/x",
            "c=3; Max-Age=9; Domain=example.org", "=nameless; Max-Age=9", "__Host-d=4; Max-Age=9; Path=/; Secure",
            "e=a=b==; Max-Age=9", "f=; Max-Age=9",
        ]
        let first = launch(at: 1_000)
        for field in fields { first.cookies.setCookie(Array(field.utf8), from: home) }
        first.cookies.setCookie([UInt8(ascii: "g"), UInt8(ascii: "="), 0xE9] + Array("; Max-Age=9".utf8), from: home)
        let before = first.cookies.cookies
        try first.save()
        let after = launch(at: 1_001).cookies.cookies
        try #require(before.count == fields.count + 1)
        #expect(after.map(\.pair) == before.map(\.pair))
        #expect(after.map(\.expiry) == before.map(\.expiry))
        #expect(after.map(\.creation) == before.map(\.creation))
        #expect(after.map(\.path) == before.map(\.path))
        #expect(after.map(\.domain) == before.map(\.domain))
        #expect(after.map(\.isHostOnly) == before.map(\.isHostOnly))
        #expect(after.map(\.isSecure) == before.map(\.isSecure))
        #expect(after.map(\.isHTTPOnly) == before.map(\.isHTTPOnly))
        #expect(after.map(\.sameSite) == before.map(\.sameSite))
    }

    @Test func `a stored response keeps its age, its fields and what it varies by`() throws {
        let url = try ClientURL("http://home.example.org/page?x=1")
        let reply = try #require(
            CachedReply(
                status: 200, fields: [HTTPField("ETag", "\"one\""), HTTPField("Vary", "X-Kind, Accept")],
                requestFields: [HTTPField("X-Kind", "a")], requestedAt: 999, receivedAt: 1_000))
        let response = StoredResponse(
            reply, reason: Array("OK".utf8), of: url, content: [0, 0xFF, 0x0A], notes: ["by": "me"])
        let first = launch(at: 1_000)
        try #require(first.cache).store(response)
        try first.save()
        #expect(launch(at: 5_000).cache?.responses == [response])
        #expect(launch(at: 5_000, fault: .ageLost).cache?.responses.first?.reply.receivedAt == 5_000)
        #expect(
            launch(at: 5_000, fault: .validatorsLost).cache?.responses.first?.reply.validationFields.isEmpty == true)
        #expect(launch(at: 5_000, fault: .varyLost).cache?.responses.first?.reply.variant.conditions.isEmpty == true)
    }

    @Test func `a permanent credential is there at the next launch, in its space alone`() throws {
        let origin = Origin(scheme: .http, host: "::1", port: 8080)
        let space = LoadChallenge.ProtectionSpace(kind: "basic", origin: origin, realm: "a \"realm\"")
        let other = LoadChallenge.ProtectionSpace(kind: "digest", origin: origin, realm: "other", isProxy: true)
        let token = LoadChallenge.ProtectionSpace(kind: "bearer", origin: origin, realm: "")
        let first = launch(at: 1_000)
        first.credentials.set(LoadCredential(user: "ü", password: "p:q", persistence: .permanent), for: space)
        first.credentials.set(LoadCredential(user: "u", password: "p", persistence: .session), for: other)
        first.credentials.set(LoadCredential(token: "mF_9", persistence: .permanent), for: token)
        try first.save()
        let second = launch(at: 1_001).credentials.all
        #expect(second.count == 2)
        #expect(second[space] == LoadCredential(user: "ü", password: "p:q", persistence: .permanent))
        #expect(second[token]?.token == "mF_9")
    }

    @Test func `what is left of a download goes on by its validator`() throws {
        let file = try DownloadFile(in: folder.path, limit: 100)
        try file.append([1, 2, 3])
        let request = ClientRequest(
            url: try ClientURL("http://home.example.org/file"), fields: [HTTPField("X-Kind", "a")])
        let version = DownloadVersion(validator: "\"v1\"", isTag: true, byteCount: 10)
        let left = try #require(ResumeData(file, version, of: request))
        try launch(at: 1_000).storeDownload(left, ofStep: 4)
        let second = launch(at: 1_001)
        let found = try #require(second.download(ofStep: 4, in: folder.path))
        #expect(found.byteCount == 3)
        #expect(found.version == version)
        #expect(found.request == request)
        #expect(second.download(ofStep: 3, in: folder.path) == nil)
        // The bytes and what is said of them are two files, of which one may be damaged.
        try folder.write([1, 2], to: "download-4.bytes")
        #expect(second.download(ofStep: 4, in: folder.path) == nil)
    }
}

struct DamagedStorageTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        let first = ReferenceStorage(in: folder.path, cacheByteLimit: 1 << 20) { 1_000 }
        let home = CookieURL(isSecure: true, host: "home.example.org", path: Array("/".utf8))
        for field in ["a=1; Max-Age=100; Path=/", "b=2; Max-Age=100; Path=/"] {
            first.cookies.setCookie(Array(field.utf8), from: home)
        }
        let origin = Origin(scheme: .https, host: "home.example.org", port: 443)
        first.credentials.set(
            LoadCredential(user: "u", password: "p", persistence: .permanent),
            for: LoadChallenge.ProtectionSpace(kind: "basic", origin: origin, realm: "r"))
        let reply = try #require(
            CachedReply(
                status: 200, fields: [HTTPField("ETag", "\"one\"")], requestFields: [], requestedAt: 999,
                receivedAt: 1_000))
        try #require(first.cache).store(
            StoredResponse(
                reply, reason: Array("OK".utf8), of: try ClientURL("http://home.example.org/"), content: [1], notes: [:]
            ))
        try first.save()
    }

    private func launch() -> ReferenceStorage {
        ReferenceStorage(in: folder.path, cacheByteLimit: 1 << 20) { 1_001 }
    }

    @Test(arguments: ["cookies", "cache", "credentials"])
    func `a file that is cut anywhere, or has another byte anywhere, is read as far as it goes`(name: String) throws {
        let whole = try #require(folder.bytes(of: name))
        #expect(launch().problems == [])
        for count in 0..<whole.count {
            try folder.write(Array(whole[..<count]), to: name)
            let cut = launch()
            #expect(cut.cookies.cookies.count <= 2)
            #expect(cut.problems.allSatisfy { $0.contains("\(folder.path)/\(name)") })
            var changed = whole
            changed[count] ^= 0x55
            try folder.write(changed, to: name)
            #expect(launch().cookies.cookies.count <= 2)
        }
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let line: String
        let says: String
        var testDescription: String { line }

        static let rows = [
            Damage(line: "{", says: "byte 1: "),
            Damage(line: "[]", says: "expected an object"),
            Damage(line: "{\"time\":-1}", says: "expected a text \"field\", or \"fieldBase64\""),
            Damage(line: "{\"field\":\"a=1\",\"time\":-1}", says: "expected a whole number from 0 on in \"time\""),
            Damage(line: "{\"field\":\"a=1\",\"time\":99999999999999999999}", says: "expected a whole number"),
            Damage(line: "{\"fieldBase64\":\"?\",\"time\":1}", says: "\"fieldBase64\", byte 0"),
            Damage(line: "{\"field\":\"a=1\",\"time\":1,\"host\":7}", says: "expected a text \"host\""),
        ]
    }

    @Test(arguments: Damage.rows) func `a line that is no cookie is named, and the others are used`(row: Damage) throws
    {
        let whole = try #require(folder.bytes(of: "cookies"))
        try folder.write(whole + Array("\(row.line)\n".utf8), to: "cookies")
        let storage = launch()
        #expect(storage.cookies.cookies.count == 2)
        let problem = try #require(storage.problems.first)
        #expect(storage.problems.count == 1)
        #expect(problem.hasPrefix("\(folder.path)/cookies:4: "))
        #expect(problem.contains(row.says), "\(problem)")
        #expect(problem.hasSuffix("; this object is left out"))
    }

    @Test func `a file of another program, or of another kind, is not used`() throws {
        try folder.write(try #require(folder.bytes(of: "cache")), to: "cookies")
        let storage = launch()
        #expect(storage.cookies.cookies.isEmpty)
        #expect(storage.problems.count == 1)
        #expect(storage.problems.first?.contains("\"kind\":\"cookies\"") == true)
    }

    @Test func `the number of problems that are told is bounded`() throws {
        let whole = try #require(folder.bytes(of: "cookies"))
        try folder.write(whole + Array(String(repeating: "{\n", count: 1_000).utf8), to: "cookies")
        #expect(launch().problems.count == 20)
        #expect(launch().cookies.cookies.count == 2)
    }
}
