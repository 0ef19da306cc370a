import Foundation
import Testing

/// What the compiler does not check about the sources.
struct SourceRuleTests {
    @Test func `Foundation and Dispatch are imported where clients are made and recorded, and nowhere else`() throws {
        let forbidden: Set = ["Foundation", "FoundationEssentials", "FoundationNetworking", "Dispatch"]
        for file in try SourceFile.all() where !file.mayUseFoundation {
            #expect(file.imports.isDisjoint(with: forbidden), "\(file.path)")
        }
    }

    @Test func `the recorder stands on no C library, no rules and no journal`() throws {
        let modules: Set = ["ProctorBase", "ProctorEvents", "ProctorHTTP", "ProctorProgram", "ProctorRecorder"]
        for file in try SourceFile.all() where ["ProctorRecorder", "ProctorAssignments"].contains(file.module) {
            let ours = file.imports.filter { $0.hasPrefix("Proctor") || $0.hasPrefix("C") }
            #expect(ours.isSubset(of: modules), "\(file.path)")
        }
    }

    @Test func `the harness for devices stands on no C library`() throws {
        let modules: Set = [
            "ProctorBase", "ProctorEvents", "ProctorProgram", "ProctorRecorder", "ProctorAssignments", "ProctorHarness",
        ]
        let harness: Set = ["ProctorHarness", "ProctorClientTesting", "ProctorRemoteTesting"]
        for file in try SourceFile.all() where harness.contains(file.module) {
            let ours = file.imports.filter { $0.hasPrefix("Proctor") || $0.hasPrefix("C") }
            #expect(ours.isSubset(of: modules), "\(file.path)")
        }
    }

    @Test(arguments: [
        ("CUV", "ProctorLoop"), ("CYAML", "ProctorDocument"), ("CLua", "ProctorScript"), ("CFiles", "ProctorBase"),
        ("CNGTCP2", "ProctorQUIC"),
    ])
    func `a C library is imported by one module only`(library: String, module: String) throws {
        let importers = Set(try SourceFile.all().filter { $0.imports.contains(library) }.map(\.module))
        #expect(importers == [module])
    }

    @Test func `Locked and Monitor are the only locks`() throws {
        let locks = [
            "Mutex(", "Mutex<", "NSLock", "NSRecursiveLock", "os_unfair", "OSAllocatedUnfairLock", "pthread_mutex",
            "pthread_rwlock", "pthread_spin",
        ]
        let queues = ["DispatchQueue", "DispatchSemaphore"]
        let own: Set = ["ProctorBase/Locked.swift", "ProctorBase/Monitor.swift"]
        for file in try SourceFile.all() where !own.contains(file.path) {
            // Recorders use queues for what comes later, and semaphores to wait or to block a thread on purpose.
            let others = file.mayUseFoundation ? [".sync {", ".sync("] : queues
            for lock in locks + others { #expect(!file.has(lock), "\(file.path) uses \(lock)") }
        }
    }

    @Test func `no module but the command line ends the process or traps on a forced value`() throws {
        for file in try SourceFile.all() {
            for word in ["try!", "fatalError(", "nonisolated(unsafe)"] {
                #expect(!file.has(word), "\(file.path) has \(word)")
            }
            if file.module != "proctor" { #expect(!file.has(" exit("), "\(file.path) calls exit") }
        }
    }

    @Test func `a module stands on modules of its own folder and of those below`() throws {
        let files = try SourceFile.all()
        let folders = Dictionary(files.map { ($0.module, $0.folder) }, uniquingKeysWith: { first, _ in first })
        #expect(Set(folders.values) == Set(SourceFile.folders))
        for file in files {
            let own = SourceFile.folders.firstIndex(of: file.folder) ?? -1
            for module in file.imports {
                guard let folder = folders[module].flatMap(SourceFile.folders.firstIndex) else { continue }
                #expect(folder <= own, "\(file.folder)/\(file.path) imports \(module) of \(SourceFile.folders[folder])")
            }
        }
    }

    @Test func `no module of the core stands on one that registers with it`() throws {
        // The core of Docs/inside/core.md. All other modules hand it rows, or are clients.
        let core: Set = [
            "ProctorBase", "ProctorLoop", "ProctorDocument", "ProctorRegex",
            "ProctorCoding", "ProctorHTML",
            "ProctorHTTP", "ProctorCrypto", "ProctorTLSWire", "ProctorTLS", "ProctorEvents", "ProctorNotation",
            "ProctorRules", "ProctorJournal", "ProctorProgram", "ProctorScenario", "ProctorFixtures", "ProctorGrading",
            "ProctorReplies", "ProctorServing", "ProctorServer", "ProctorRecorder", "ProctorHarness", "ProctorExam",
            "ProctorTesting",
        ]
        let files = try SourceFile.all()
        let modules = Set(files.map(\.module))
        #expect(core.isSubset(of: modules), "\(core.subtracting(modules)) have no sources")
        var arrows: [String: Set<String>] = [:]
        for file in files where core.contains(file.module) {
            // As a program does, ProctorTesting registers what the list of modules has.
            let list: Set = file.module == "ProctorTesting" ? ["ProctorModules"] : []
            let others = file.imports.intersection(modules).subtracting(core).subtracting(list)
            if !others.isEmpty { arrows[file.module, default: []].formUnion(others) }
        }
        #expect(arrows.isEmpty)
    }

    @Test func `every source is found`() throws {
        let files = try SourceFile.all()
        #expect(files.contains { $0.path == "ProctorLoop/EventLoop.swift" && $0.imports.contains("CUV") })
        #expect(files.contains { $0.path == "ProctorBase/Locked.swift" && $0.has("pthread_mutex") })
    }
}

/// One file of `Sources`.
private struct SourceFile: Sendable {
    /// The folders of `Sources` that have modules in Swift, from below (Package.swift).
    static let folders = [
        "Ground", "Protocols", "Vocabulary", "Language", "Judging", "Serving", "Clients", "Testing", "Command",
    ]

    /// The folder of `Sources` that has the file's module.
    let folder: String
    /// Below that folder.
    let path: String
    /// Without line comments; searched as bytes, which takes a tenth of the time.
    private let code: Data
    /// The modules named by its import lines, whatever access they are given.
    let imports: Set<String>

    private init(path: String, text: String) {
        let separator = path.firstIndex(of: "/") ?? path.endIndex
        folder = String(path[..<separator])
        self.path = String(path[separator...].dropFirst())
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Self.withoutComment(Data($0)) }
        code = Data(lines.joined(separator: CollectionOfOne(UInt8(ascii: "\n"))))
        let access: Set<Substring> = [
            "public", "package", "internal", "fileprivate", "private", "@testable", "@_exported",
        ]
        var modules: Set<String> = []
        for line in lines where line.range(of: Data("import ".utf8)) != nil {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ").drop { access.contains($0) }
            guard words.first == "import", let module = words.dropFirst().last else { continue }
            modules.insert(String(module.prefix { $0 != "." }))
        }
        imports = modules
    }

    private static func withoutComment(_ line: Data) -> Data {
        line.range(of: Data("//".utf8)).map { line[..<$0.lowerBound] } ?? line
    }

    func has(_ word: String) -> Bool { code.range(of: Data(word.utf8)) != nil }

    var module: String { String(path.prefix { $0 != "/" }) }

    /// What speaks to URLSession, what is a URLProtocol, what runs inside tests, and the adapters; and the synchronous
    /// request, which blocks its caller's thread.
    var mayUseFoundation: Bool {
        let modules: Set = [
            "ProctorRecorder", "ProctorAssignments", "ProctorHarness", "ProctorClientTesting", "ProctorTesting",
            "ProctorRemoteTesting", "ProctorAdapter",
            "ProctorReferenceAdapter", "proctor-client-urlsession", "proctor-client-reference",
        ]
        return modules.contains(module) || path.hasPrefix("ProctorReference/Protocol/")
            || path == "ProctorReference/Legacy/ReferenceRequest.swift"
    }

    /// Read once, for all tests.
    static func all() throws -> [SourceFile] { try files.get() }

    private static let files = Result {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return try paths.filter { $0.hasSuffix(".swift") }.map { path in
            SourceFile(path: path, text: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
        }
    }
}
