import ProctorDemands
import ProctorDocument
import ProctorFixtures
import ProctorGrading
import ProctorRules
import ProctorTLS

@testable import ProctorScenario

/// A kind of document, by the name of its block.
struct DocumentKind: Sendable {
    let read: @Sendable (_ bytes: [UInt8], _ block: Block, _ folder: String) throws -> ReadDocument

    static let all: [String: DocumentKind] = [
        "certificate": DocumentKind { bytes, block, _ in
            let (profile, diagnostics) = CertificateProfile.parse(
                bytes, name: block.value(of: "name") ?? "it", role: block.has("client") ? .client : .server,
                file: "f.yaml")
            return ReadDocument(value: profile, diagnostics: diagnostics)
        },
        "badssl": DocumentKind { bytes, _, _ in
            let (map, diagnostics) = BadSSLMap.parse(bytes, file: "f")
            return ReadDocument(value: diagnostics.isEmpty ? map : nil, diagnostics: diagnostics)
        },
        "fixture": DocumentKind { bytes, block, folder in
            let (scenario, diagnostics) = ScenarioLoader.parse(
                bytes, id: block.value(of: "id") ?? "test/scenario", file: "a.yaml", folder: folder)
            var document = ReadDocument(value: scenario, diagnostics: diagnostics)
            document.warned = scenario?.warnings ?? []
            return document
        },
        // The files of the row, by their paths in its folder.
        "load": DocumentKind { _, block, folder in
            let paths = (block.words.isEmpty ? [""] : block.words).map { "\(folder)/\($0 == "." ? "" : $0)" }
            let result = ScenarioLoader.load(paths: paths)
            var document = ReadDocument(value: result, diagnostics: result.diagnostics)
            document.tellsFiles = true
            return document
        },
        // A line for each `--inline`.
        "inline": DocumentKind { bytes, _, _ in
            var exchanges = InlineExchanges()
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            for (index, line) in lines.enumerated() { exchanges.add(String(line), named: "--inline \(index + 1)") }
            let (scenario, diagnostics) = exchanges.scenario()
            var document = ReadDocument(value: scenario, diagnostics: diagnostics)
            document.tellsFiles = true
            return document
        },
        "demands": DocumentKind { bytes, _, _ in
            let read = DemandCatalogue.parse(bytes, file: "d.yaml")
            let made = DemandCatalogue.make(read.demands)
            let diagnostics = read.diagnostics + made.diagnostics
            return ReadDocument(value: diagnostics.isEmpty ? made.catalogue : nil, diagnostics: diagnostics)
        },
        // What is read must be written so that it reads back the same.
        "fact-name": DocumentKind { bytes, _, _ in
            do throws(FactNameError) {
                let name = try FactName(parsing: line(bytes))
                guard try FactName(parsing: name.text) == name else {
                    throw FactNameError(sentence: "it is written as \(name.text)", hint: nil)
                }
                return ReadDocument(value: name, diagnostics: [])
            } catch {
                return ReadDocument(
                    value: nil, diagnostics: [Diagnostic(path: "", sentence: error.sentence, hint: error.hint)])
            }
        },
        // A label of a host name, as DNS has it (RFC 5891).
        "label": DocumentKind { bytes, block, _ in
            let label = try ByteText.bytes(inLine: line(bytes), line: block.line)
            return ReadDocument(
                value: ALabelHint.encode(String(decoding: label, as: UTF8.self)) as Any, diagnostics: [])
        },
        // Platforms, ledgers and profiles of certificates.
        "platform": DocumentKind { bytes, _, _ in
            let (platform, diagnostics) = Platform.parse(bytes, file: "p.yaml")
            return ReadDocument(value: platform, diagnostics: diagnostics)
        },
        "ledger": DocumentKind { bytes, _, _ in
            let (ledger, diagnostics) = Ledger.parse(bytes, file: "clients/curl.yaml")
            return ReadDocument(value: ledger, diagnostics: diagnostics)
        },
    ]

    /// The text without the end of its line.
    private static func line(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
