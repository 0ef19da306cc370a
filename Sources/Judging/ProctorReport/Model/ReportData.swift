internal import ProctorBase
import ProctorGrading
internal import ProctorScenario

/// All marks in compact JSON, for the script of the site and for the catalogue of a server.
///
/// | key | value |
/// |---|---|
/// | `format` | ``format`` |
/// | `proctor` | the version that made the report |
/// | `clients` | objects with `name`, `slug` and `title` |
/// | `kinds` | the words of kinds |
/// | `outcomes` | objects with `letter`, `word`, `sign`, `tone` |
/// | `causes` | their keys |
/// | `cases` | lists of scenario, name, index in `kinds`, summary, path of the page |
/// | `marks` | for each client a text with a letter for each case |
/// | `why` | for each client a text of numbers: index in `cases`, index in `causes`, and so on |
struct ReportData {
    static let format = "proctor-report-1"
    let report: Report
    let version: String

    var json: [UInt8] {
        var json = JSONText()
        let items = report.items
        json.open("{")
        json.member("format", Self.format)
        json.member("proctor", version)
        json.key("clients")
        json.list(report.clients) { client, json in
            json.open("{")
            json.member("name", client.name)
            json.member("slug", client.slug)
            json.member("title", client.header.title)
            json.close("}")
        }
        json.key("kinds")
        json.list(Case.Kind.allCases) { kind, json in json.string(kind.rawValue) }
        json.key("outcomes")
        json.list(OutcomeLook.all + [.absent]) { look, json in
            json.open("{")
            json.member("letter", String(look.letter))
            json.member("word", look.word)
            json.member("sign", look.sign)
            json.member("tone", look.tone.rawValue)
            json.close("}")
        }
        json.key("causes")
        json.list(report.causes) { cause, json in json.string(cause.cause.key) }
        json.key("cases")
        json.list(items) { item, json in
            json.open("[")
            json.element(item.id.scenario)
            json.element(item.id.name)
            json.element()
            json.number(Case.Kind.allCases.firstIndex(of: item.first.kind) ?? 0)
            json.element(item.summary ?? "")
            json.element(SitePath.item(item.id))
            json.close("]")
        }
        json.key("marks")
        json.list(Array(report.clients.indices)) { client, json in
            json.string(String(items.map { OutcomeLook.named($0.records[client]?.outcome).letter }))
        }
        json.key("why")
        let causes = Dictionary(uniqueKeysWithValues: report.causes.enumerated().map { ($1.cause.key, $0) })
        json.list(Array(report.clients.indices)) { client, json in
            var numbers: [String] = []
            for (index, item) in items.enumerated() {
                guard let cause = item.records[client]?.cause.flatMap({ causes[$0] }) else { continue }
                numbers += [String(index), String(cause)]
            }
            json.string(numbers.joined(separator: " "))
        }
        json.close("}")
        json.lineEnd()
        return json.bytes
    }

    /// A script that sets a variable to the JSON, since browsers load no JSON for a page that was opened as a file.
    static func script(_ json: [UInt8]) -> [UInt8] {
        Array("const proctorReport = ".utf8) + json.dropLast() + ";\n".utf8
    }
}
