internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorDialling
internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorNegotiate
package import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference
internal import ProctorReferenceStorage
internal import ProctorSOCKS

extension SessionSetup {
    /// The proxy of the assignment; without a proxy and addresses, the proxy for its host names.
    var proxyOrigin: Origin? {
        if socksProxy != nil { return nil }
        let isSecured = proxy != nil && proxyProtocol?.isSecured == true
        return (proxy ?? soleNamesProxy).flatMap { Self.origin($0, isSecured: isSecured) }
    }

    /// The proxy for https; nil: ``proxyOrigin`` is.
    var httpsProxyOrigin: Origin? { httpsProxy.flatMap { Self.origin($0, isSecured: false) } }

    /// The proxy of SOCKS of the assignment; nil: none.
    var socksProxy: SOCKSProxy? {
        guard let proxy, let spoken = proxyProtocol, spoken.isSOCKS,
            let origin = Self.origin(proxy, isSecured: false)
        else { return nil }
        let address = UInt16(exactly: origin.port).flatMap { SocketAddress(host: origin.host, port: $0) }
        return SOCKSProxy(
            address, speaksVersion4: spoken == .socks4 || spoken == .socks4a, looksUpNames: spoken.asksForAddresses,
            user: proxyUser, password: proxyPassword)
    }

    /// Whether requests to addresses do not use the proxy, since a proxy for names serves only names.
    var sparesLoopback: Bool { soleNamesProxy != nil }

    private var soleNamesProxy: String? { proxy == nil && names == nil ? namesProxy : nil }

    /// The addresses of the assignment's names; empty when a proxy resolves the names.
    func hostTable() throws(HostTable.InvalidEntry) -> HostTable {
        var table = HostTable()
        guard proxy == nil || proxyProtocol?.asksForAddresses == true || noProxy != nil else { return table }
        for named in names ?? [] {
            try table.set(named.addresses ?? [named.address], for: named.name, port: named.port)
        }
        if let resolver {
            guard let address = SocketAddress(table: resolver), address.isLoopback else {
                throw HostTable.InvalidEntry(
                    description: "'\(resolver)' is no server of DNS; expected 127.0.0.1:4711 or [::1]:4711")
            }
            table.resolver = address
        }
        return table
    }

    /// Removes the addresses of names when a proxy resolves all of them.
    package mutating func preferNamesProxy() {
        if namesProxy != nil { names = nil }
    }

    /// Why the proxy or an address can't be used, with the name of the key; nil when it can.
    var missingRoute: String? {
        for (key, authority) in [("proxy", proxy), ("httpsProxy", httpsProxy), ("namesProxy", soleNamesProxy)] {
            if let authority, Self.origin(authority, isSecured: false) == nil {
                return "\(key): '\(authority)' is no address of a proxy; expected a host and a port, as 127.0.0.1:8080"
            }
        }
        do throws(HostTable.InvalidEntry) {
            _ = try hostTable()
            return nil
        } catch {
            return "names: \(error)"
        }
    }

    /// The origin of an authority; nil for other text: a program wrote it, so nothing is corrected.
    private static func origin(_ authority: String, isSecured: Bool) -> Origin? {
        guard let url = try? ClientURL("http\(isSecured ? "s" : "")://\(authority)/"), url.userinfo == nil,
            url.target == [UInt8(ascii: "/")]
        else { return nil }
        return url.origin
    }
}

extension ReferenceConfiguration {
    /// Takes the stores of an assignment whose client is started again; nil: the client keeps nothing.
    mutating func useStores(of storage: ReferenceStorage?) {
        guard let storage else { return }
        (cookieStore, credentialStore, cache) = (storage.cookies, storage.credentials, storage.cache)
        strictHosts = storage.strictHosts
    }

    /// Takes the proxy, the names and the trust of a setup, which a step may change.
    mutating func useWays(of setup: SessionSetup, breaking: Breakage?) throws(CallFailure) {
        security = try setup.security(breaking: breaking)
        proxy = setup.proxyOrigin
        httpsProxy = setup.httpsProxyOrigin
        socksProxy = setup.socksProxy
        proxySpeaksHTTP2 = setup.proxyProtocol == .h2 || setup.proxyProtocol == .httpsH2
        sparesLoopback = setup.sparesLoopback
        proxyExceptions = ProxyExceptions(setup.noProxy ?? [])
        names = (try? setup.hostTable()) ?? HostTable()
        guard breaking.has(.asksOneProxy) else { return }
        (proxy, httpsProxy, proxyExceptions) = (proxy ?? httpsProxy, nil, ProxyExceptions([]))
    }

    /// Takes the limits of a setup for redirects, content and connections.
    private mutating func useLimits(of setup: SessionSetup, breaking: Breakage?) {
        let fault: LimitFault? = breaking?.asFault()
        if let limit = setup.redirectLimit, fault != .ignoresRedirectLimit {
            redirectLimit = fault == .followsOneMore ? limit + 1 : limit
        }
        refusesCycles =
            setup.redirectCycles.map { (!$0 && fault != .followsCycles) || fault == .refusesCycles } ?? false
        if let kept = setup.methodKept, fault != .keepsNoMethod {
            keptMethods = fault == .keepsBothMethods ? [301, 302] : Set(kept)
        }
        decodedByteLimit = setup.decodedLimit.flatMap { fault == .ignoresDecodedLimit ? nil : $0 }
        if fault == .decodesOneLess { decodedByteLimit = decodedByteLimit.map { $0 - 1 } }
        decodedRatio = setup.decodedRatio.flatMap { fault == .ignoresDecodedRatio ? nil : $0 }
        if fault == .decodesHalf { decodedRatio = decodedRatio.map { max(1, $0 / 2) } }
        connectTimeout = setup.connectTimeout.flatMap { fault == .ignoresConnectTime ? nil : .milliseconds($0) }
        if fault == .boundsLoadByConnectTime, let connectTimeout { resourceTimeout = connectTimeout }
        idleTime = setup.idleTime.flatMap { fault == .ignoresIdleTime ? nil : .milliseconds($0) }
        if fault == .keepsNothing, idleTime != nil { idleTime = .milliseconds(1) }
        usesOfConnection = setup.connectionUses.flatMap { fault == .ignoresUses ? nil : $0 }
        if fault == .usesOnceMore { usesOfConnection = usesOfConnection.map { $0 + 1 } }
    }

    /// Makes the configuration; an unreadable route was refused before, see ``SessionSetup/missingRoute``.
    init(_ assignment: Assignment, breaking: Breakage?) throws(CallFailure) {
        self.init()
        let setup = assignment.session
        speaksHTTP2 = assignment.protocolName == "h2"
        speaksHTTP3 = assignment.protocolName == "h3"
        if let timeout = setup.requestTimeout { requestTimeout = .milliseconds(timeout) }
        if let timeout = setup.resourceTimeout { resourceTimeout = .milliseconds(timeout) }
        if let limit = setup.connectionsPerHost { connectionsPerHost = limit }
        useLimits(of: setup, breaking: breaking)
        pipelines = assignment.needs?.contains(Ability.pipelining.rawValue) ?? false
        try useWays(of: setup, breaking: breaking)
        cookiePolicy = setup.cookiePolicy
        cookieFault = breaking?.asFault()
        cacheFault = breaking?.asFault()
        keepsDelegate = breaking.has(.keepsDelegate)
        cache = setup.cache.map { ReferenceCache(byteLimit: $0) }
        makeActionFilter = breaking?.makeActionFilter
        mechanisms = assignment.mechanisms
        believesAnyServer = breaking.has(.believesAnyServer)
        transportFault = breaking?.transportFault
        legacyFault = breaking?.asFault()
        downloadFault = breaking?.asFault()
        // A case asks for at most 1 GiB (body/gigabyte-that-is-left); a client that does not leave must not fill a disk.
        fileByteLimit = 2 << 30
    }
}

extension Assignment {
    /// What is offered within Negotiate: the stub mechanism only where the case is about it, and NTLM before it where the
    /// case needs both.
    fileprivate var mechanisms: [NegotiateMechanism] {
        let needs = Set(needs ?? [])
        guard needs.contains(Ability.negotiateStub.rawValue) else { return [.ntlm] }
        return needs.contains(Ability.negotiate.rawValue) ? [.ntlm, .stub] : [.stub]
    }
}

extension SessionSetup {
    var missingMethods: Set<OptionalMethod> { Set(without.compactMap { OptionalMethod(rawValue: $0.rawValue) }) }

    /// The methods for challenges; by default the new method for a connection, and the three old ones for downloads.
    func legacyChallengeMethods(of family: CallbackFamily) -> LegacyChallengeMethods {
        switch challengeMethods {
        case .old: .oldTrio
        case .new: .newMethod
        case .both: .both
        case nil: family == .connection ? .newMethod : .oldTrio
        }
    }

    var cookiePolicy: CookiePolicy {
        switch cookies {
        case .always: .always
        case .never: .never
        case .mainDocument: .mainDocument
        }
    }

    /// The assignment's own scheme in lower case; at most one.
    var ownSchemes: Set<String> { Set([ownScheme?.lowercased()].compactMap(\.self)) }

    /// The trusted certificates and the identity, from the assignment's files.
    func security(breaking: Breakage?) throws(CallFailure) -> ReferenceSecurity {
        var security = ReferenceSecurity()
        if let trust { security.anchors = [try TextFile.bytes(of: trust)] }
        if let identity { security.identity = try identity.loaded() }
        security.asksTrust = !evaluatesTrust
        security.fault = breaking?.asFault()
        return security
    }
}

extension Assignment.Identity {
    func loaded() throws(CallFailure) -> LoadIdentity {
        let chain = try TextFile.bytes(of: certificate)
        let key = try TextFile.bytes(of: key)
        do throws(LoadError) {
            return try LoadIdentity(
                certificatePEM: String(decoding: chain, as: UTF8.self), keyPEM: String(decoding: key, as: UTF8.self))
        } catch {
            throw CallFailure(call: "reading the identity \(name)", code: 0, text: error.sentence)
        }
    }
}

private enum TextFile {
    /// The most bytes of a file, more than any certificate chain has.
    private static let byteLimit = 4 << 20

    static func bytes(of path: String) throws(CallFailure) -> [UInt8] {
        let file = try OpenFile(path: path)
        return try file.bytes(from: 0, byteCount: min(file.byteCount, byteLimit))
    }
}

extension Assignment.Step {
    /// The request of a step; a text that is no URL makes a request whose load fails.
    func request(with body: ProctorReference.RequestBody, in setup: SessionSetup) -> ClientRequest {
        let fields = headers.filter { $0.count == 2 }.map { HTTPField($0[0], $0[1]) }
        var request = ClientRequest(
            method: method, typed: typed(in: setup), ownSchemes: setup.ownSchemes, fields: fields, body: body)
        request.cachePolicy =
            switch cachePolicy {
            case nil, .protocol: .byProtocol
            case .reload: .reload
            case .reloadAll: .reloadAll
            case .revalidate: .revalidate
            case .cacheElseLoad: .cacheElseLoad
            case .cacheOnly: .cacheOnly
            }
        if setup.cookiePolicy == .mainDocument { request.mainDocument = request.url }
        request.trailers = trailers.filter { $0.count == 2 }.map { HTTPField($0[0], $0[1]) }
        return request
    }

    /// The URL, or the reference resolved against the base URL of the setup (RFC 3986 §5.2).
    private func typed(in setup: SessionSetup) -> String {
        guard let reference, let base = setup.baseURL else { return url }
        let target = URIReference(splitting: Array(reference.utf8))
            .resolved(against: URIReference(splitting: Array(base.utf8)))
        return String(decoding: target.bytes, as: UTF8.self)
    }
}

/// The content of a step's request in the form that the program asks for; made once for each step.
struct StepBody: Sendable {
    let body: ProctorReference.RequestBody
    private let file: URL?

    /// Writes a file when the program sends the body from one; ``cleanUp()`` removes it.
    ///
    /// `record` tells what has come, and records when the last part of a bound pair was written.
    init(_ step: Assignment.Step, of record: StepRecord, fault: SourceFault? = nil) throws {
        guard step.body != nil || step.task == .upload else {
            body = .none
            file = nil
            return
        }
        switch step.bodyForm {
        case .file, .requestFileStream:
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
            try Data(Self.content(of: step)).write(to: url)
            body = step.bodyForm == .file ? .file(path: url.path) : .stream(try Self.stream(ofFile: url.path))
            file = url
            return
        case .requestBoundPair: body = .stream(Self.pair(of: Self.content(of: step), notes: record.notes))
        case .stream, .boundPair: body = .streamOnDemand
        case .requestStream: body = .stream(ProgramSource(step, of: record, fault: fault).stream())
        case .data: body = .bytes(Self.content(of: step))
        }
        file = nil
    }

    func cleanUp() {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    /// A new stream; another thread writes into a bound pair.
    static func stream(of step: Assignment.Step) -> BodyStream {
        let content = content(of: step)
        guard step.bodyForm == .boundPair else { return BodyStream(content) }
        let rest = Locked(content[...])
        return BodyStream {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let piece = rest.withLock { rest in
                        defer { rest = rest.dropFirst(pieceByteCount) }
                        return Array(rest.prefix(pieceByteCount))
                    }
                    continuation.resume(returning: piece.isEmpty ? nil : piece)
                }
            }
        }
    }

    /// A stream that reads the file as it is sent.
    private static func stream(ofFile path: String) throws -> BodyStream {
        let file = ReadFile(try OpenFile(path: path))
        return BodyStream { try file.next(pieceByteCount) }
    }

    /// The reading end of a pair: the second half of the content comes later, and its last part is recorded.
    private static func pair(of content: [UInt8], notes: StepNotes) -> BodyStream {
        let rest = Locked(content[...])
        let half = content.count / 2
        return BodyStream {
            let piece = rest.withLock { rest in
                let isFirstHalf = content.count - rest.count < half
                let room = isFirstHalf ? half - (content.count - rest.count) : rest.count
                defer { rest = rest.dropFirst(min(room, pieceByteCount)) }
                return (bytes: rest.prefix(min(room, pieceByteCount)), isSecondHalf: rest.startIndex == half)
            }
            if piece.isSecondHalf, !piece.bytes.isEmpty {
                try await Task.sleep(for: .milliseconds(Assignment.BodyForm.pairPause))
            }
            if !piece.bytes.isEmpty, piece.bytes.endIndex == content.endIndex { notes.record(.bodyWritten) }
            return piece.bytes.isEmpty ? nil : Array(piece.bytes)
        }
    }

    private static let pieceByteCount = 16_384

    private static func content(of step: Assignment.Step) -> [UInt8] { step.body?.content ?? [] }
}

/// A file that is read in parts.
private final class ReadFile: Sendable {
    private let file: OpenFile
    private let offset = Locked(0)

    init(_ file: consuming OpenFile) { self.file = file }

    /// The next part of at most `count` bytes; nil at the end.
    func next(_ count: Int) throws(CallFailure) -> [UInt8]? {
        let start = offset.withLock { offset in
            defer { offset += count }
            return offset
        }
        guard start < file.byteCount else { return nil }
        return try file.bytes(from: start, byteCount: min(count, file.byteCount - start))
    }
}
