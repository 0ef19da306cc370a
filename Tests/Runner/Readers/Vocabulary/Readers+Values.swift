import Foundation
import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorJournal
import ProctorScenario

@testable import ProctorExam
@testable import ProctorExamClients
@testable import ProctorFixtures
@testable import ProctorImport

extension ReaderRunner {
    /// Small values of documents, fixtures and imports.
    static let values: [String: DataReader] = [
        // A text as a scalar of YAML, in a file of its own and everywhere in a scenario that an import writes.
        "yaml-scalar": .whole { input, _ in
            let text = Parts.text(input)
            let scalar = YAMLText.scalar(text)
            let document = Document.parse(Array("k: \(scalar)\n".utf8), file: "a.yaml")
            guard document.diagnostics.isEmpty, document.root?.entries?.first?.value.text == text else {
                return ["it is read otherwise: \(scalar)"]
            }
            return try [ByteText.inLine(scalar.utf8)] + ValueLines.faults(ofWriting: text)
        },
        // What an import writes: flow, blocks and keys.
        "yaml-everywhere": .whole { input, _ in
            let faults = try ValueLines.faults(ofWriting: Parts.text(input))
            return faults.isEmpty ? ["the same"] : faults
        },
        "json-pointer": .whole { input, _ in
            do {
                let pointer = try JSONPointer(Parts.text(input))
                guard pointer.text == Parts.text(input) else { return ["it is written otherwise"] }
                return pointer.tokens.isEmpty ? ["the document"] : pointer.tokens.map { "\"\($0)\"" }
            } catch let fault as JSONPointer.Fault { return ["no pointer at \(fault.offset)"] }
        },
        "json-index": .line { JSONPointer.index($0).map(String.init) ?? "-" },
        "shell-words": .whole { input, _ in
            do throws(ShellWords.Mistake) {
                for end in input.indices { _ = try? ShellWords(Parts.text(input[..<end])) }
                let read = try ShellWords(Parts.text(input))
                return read.words.map { ByteText.inLine("[\($0.textWithBrackets)]".utf8) }
                    + (read.end.map { ["then \(Character(Unicode.Scalar($0)))"] } ?? [])
            } catch {
                return ["\(error.what) has no end, at byte \(error.offset)"]
            }
        },
        "secret-name": .line { SecretNames.contains($0) ? "a secret" : "no secret" },
        "secrets": .whole { input, _ in
            let found = TokenPatterns.matches(in: input[...])
            return found.isEmpty ? ["none"] : found.map { Parts.text(input[$0.range]) }
        },
        // As late-bound text, and as a pattern.
        "literal": .line { "\(LiteralText.late($0)) \(LiteralText.pattern($0))" },
        // The lane of a key of a fixture.
        "lane": .line { Lane(fixtureKey: $0)?.rawValue ?? "-" },
        // Host and port of an authority, as the template of an HTTP origin has them.
        "host-and-port": .whole { input, _ in
            let template = Template(parts: [.host(0), .literal([0x20]), .port(0)])
            return [ByteText.inLine(template.rendered(in: TemplateContext(base: [], authorities: [input])))]
        },
        // The address of an adapter over the network.
        "adapter-address": .line { text in
            guard let address = AdapterAddress(text) else { return "-" }
            return address.description + (address.isEveryInterface ? ", every interface" : "")
        },
        // The first line of an adapter that connects, and what it is answered; the token is 0123456789abcdef.
        "adapter-greeting": .whole { input, _ in
            let answer = AdapterGreeting.answerLine(AdapterGreeting(token: "0123456789abcdef").refusal(of: input))
            let text = ByteText.inLine(answer.dropLast())
            return [text.contains("abcdef") ? "it has the token" : text]
        },
        // Scenarios as `ID STATUS SUMMARY` in a line each, and words in the last: those that are found.
        "scenario-search": .whole { input, block in
            var lines = Parts.text(input).components(separatedBy: "\r\n")
            if lines.last?.isEmpty == true { lines.removeLast() }
            let words = lines.popLast() ?? ""
            let scenarios = try lines.map { line in
                let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
                let yaml =
                    "summary: \(parts[2])\nexchanges: [ { request: GET /, reply: { status: \(parts[1]) } } ]\n"
                guard let scenario = ScenarioLoader.parse(Array(yaml.utf8), id: parts[0], file: "a.yaml").scenario
                else { throw RowError(block.line, "no scenario: \(line)") }
                return scenario
            }
            let found = ScenarioSearch(scenarios).find(ScenarioSearch.Question(words)).map(\.id)
            return found.isEmpty ? ["none"] : found
        },
        "search-terms": .line { text in
            let terms = SearchTerm.terms(of: text).map(\.word)
            return "\(terms.joined(separator: ", ")) (\(ScenarioSearch.Question(text).terms.count) are taken)"
        },
        // A story: `NAME = VALUE`, `NAME =` removes, `NAME + N`, `NAME add TEXT`, with ` | ` between steps.
        "state": .whole { input, block in try ValueLines.state(input, block) },
    ]
}

private enum ValueLines {
    /// What goes wrong with a text in flow, in blocks and as a key.
    static func faults(ofWriting text: String) throws -> [String] {
        var members: [YAMLTree.Member] = [
            .init("summary", .text(text)), .init("list", .list([.text(text), .text("x")])),
        ]
        if !text.isEmpty { members.append(.init("map", .map([.init(text, .map([.init("deep", .text(text))]))]))) }
        members.append(
            .init("long", .map([.init("a", .text(text)), .init("b", .text(String(repeating: "y", count: 150)))])))
        var writer = YAMLWriter()
        writer.write(members)
        let document = Document.parse(Array(writer.text.utf8), file: "x")
        guard document.diagnostics.isEmpty, let root = document.root?.entries else {
            return ["not YAML: \(ByteText.inLine(writer.text.utf8))"]
        }
        func scalar(_ node: Node?) -> String? { node.flatMap { $0.isNull ? nil : $0.text } }
        let inner = text.isEmpty ? nil : root[2].value.entries?[0]
        let seen =
            [
                scalar(root[0].value), scalar(root[1].value.items?[0]), scalar(root.last?.value.entries?[0].value),
            ] + (text.isEmpty ? [] : [inner?.key, scalar(inner?.value.entries?[0].value)])
        return seen.allSatisfy { $0 == text } ? [] : ["read otherwise in: \(ByteText.inLine(writer.text.utf8))"]
    }

    static func state(_ input: [UInt8], _ block: Block) throws -> [String] {
        var values = StateValues()
        var lines: [String] = []
        for step in Parts.of(input) {
            let words = step.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
            guard words.count > 1 else { throw RowError(block.line, "expected a step such as NAME = VALUE") }
            let before = values
            do throws(StateRefusal) {
                switch Parts.text(words[1]) {
                case "=": try values.set(words[0], to: words.count > 2 ? words[2] : nil)
                case "+": try values.add(Int(Parts.text(words[2])) ?? 0, to: words[0])
                default: try values.add(text: words[2], to: words[0])
                }
            } catch {
                lines.append(values == before ? error.reason : "it is refused, and yet changed")
                continue
            }
            lines.append(values[words[0]].map { "\"\(ByteText.shortened(ByteText.inLine($0)))\"" } ?? "removed")
        }
        return lines
    }
}
