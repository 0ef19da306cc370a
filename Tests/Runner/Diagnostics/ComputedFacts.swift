import Foundation
import ProctorBase
import ProctorDemands
import ProctorEvents
import ProctorFixtures
import ProctorJournal
import ProctorProgram
import ProctorScenario
import ProctorTLSWire

@testable import ProctorTLS

/// Properties that are computed, by a word of a path; nil for a word that a value does not have.
enum ComputedFacts {
    static func value(of value: Any, _ word: String) throws -> Any? {
        switch value {
        case let scenario as Scenario: try self.value(of: scenario, word)
        // What is handed to a client as it is.
        case is ClientProgram: Mirror(reflecting: value).descendant("step", word)
        case is SessionProgram: Mirror(reflecting: value).descendant("setup", word)
        case let assignment as Assignment:
            word == "json" ? String(decoding: assignment.json, as: UTF8.self) : nil
        case let profile as CertificateProfile:
            switch word {
            case "verdicts": CertificateProfile.Judge.allCases.map { ($0, profile.verdict(of: $0)) }
            case "neededSecurityLevel": profile.neededSecurityLevel
            default: nil
            }
        case let template as Template: word == "rendered" ? rendered(template) : nil
        case let result as LoadResult: word == "demandErrors" ? DemandCatalogues.diagnostics(of: result.scenarios) : nil
        case let item as Case: self.value(of: item, word)
        case let origin as Origin: self.value(of: origin, word)
        case let exchange as Exchange:
            switch word {
            case "turnCount": exchange.turnCount
            case "stateUse": exchange.stateUse
            default: nil
            }
        case let reply as Reply: word == "lateUse" ? reply.lateUse : nil
        case let action as Effect.Action: word == "row" ? action.row : nil
        case let row as EffectRow:
            switch word {
            case "text": row.text
            case "layer": row.layer
            case "isLast": row.isLast
            case "told":
                [
                    row.text, row.layer, row.ends, row.isLast, row.ends.cutsReply(), row.ends.cutsReply(on: 3),
                    PlayedEffect(action: row.text, at: "head") == row.played(at: "head"),
                ]
            default: nil
            }
        case let name as FactName: word == "text" ? name.text : nil
        case let answer as ClientProgram.DecodeAnswer:
            word == "decodes" ? ["A/C", "b/d", "x/y"].map { "\($0) \(answer.decodes($0))" } : nil
        case let script as FixtureScript: word == "name" ? script.name : nil
        case let fact as Fact: word == "inWords" ? fact.inWords : nil
        case let demand as Case.CookieDemand: word == "inWords" ? demand.inWords : nil
        case let source as ByteSource: word == "byteCount" ? source.byteCount ?? -1 : nil
        case let reason as Scenario.RootReason: word == "remedy" ? reason.remedy ?? "nil" : nil
        default: nil
        }
    }

    private static func value(of scenario: Scenario, _ word: String) throws -> Any? {
        if word == "assignmentFailure" {
            do { return try assignments(scenario).count } catch { return "\(error)" }
        }
        return switch word {
        case "http2Obstacles": scenario.obstacles(over: .h2)
        case "http2ObstaclesOfCases": scenario.cases.map { scenario.obstacles(of: $0, over: .h2) }
        case "http2OverTLSObstacles": scenario.obstacles(over: .h2OverTLS)
        case "http2OverTLSObstaclesOfCases": scenario.cases.map { scenario.obstacles(of: $0, over: .h2OverTLS) }
        case "http3Obstacles": scenario.obstacles(over: .h3)
        case "http3ObstaclesOfCases": scenario.cases.map { scenario.obstacles(of: $0, over: .h3) }
        case "heldMilliseconds": scenario.heldMilliseconds
        case "transferMilliseconds": scenario.cases.map { scenario.transferMilliseconds(of: $0) }
        case "awaitedEvents": scenario.awaitedEvents as Any
        case "syncPoints": scenario.syncPoints
        case "takesRandom": scenario.takesRandom
        case "hasState": scenario.hasState
        case "speaksTLS": scenario.speaksTLS
        case "certificateNames": scenario.certificateNames
        case "scripts": scenario.scripts
        case "tolerated": scenario.tolerated
        case "controlCheck": ControlCheck.diagnostics(of: scenario)
        case "mistakeCheck": MistakeCheck.diagnostics(of: scenario)
        case "assignments": try assignments(scenario)
        default: nil
        }
    }

    private static func value(of item: Case, _ word: String) -> Any? {
        switch word {
        case "asDownload": item.asDownload as Any
        case "isDownloadSitting": item.isDownloadSitting
        case "subjectText": item.subjectText
        case "claims": item.claims
        case "speaksHTTP2": item.speaksHTTP2
        case "spoken": AskedCase(item)
        case "redirectCounts": item.client.indices.map { item.redirectCount(ofStep: $0) as Any }
        case "challengeCounts": item.client.indices.map { item.challengeCount(ofStep: $0) as Any }
        default: nil
        }
    }

    private static func value(of origin: Origin, _ word: String) -> Any? {
        switch word {
        case "protocols": origin.protocols
        case "speaksHTTP2": origin.speaksHTTP2
        case "hostName": origin.hostName as Any
        case "namedPort": origin.namedPort
        case "spoken": Spoken(origin)
        case "authorities": ["127.0.0.1:80", "[::1]:4433"].map(origin.authority)
        default: nil
        }
    }

    /// The text in a reply to `GET /seven` that captures `id`, of the second of two origins, in November 1994.
    private static func rendered(_ template: Template) -> String {
        let pattern = BytePattern(parts: [.literal(Array("/".utf8)), .capture("id")])
        let context = TemplateContext(
            base: Array("http://127.0.0.1:1/x".utf8),
            authorities: [Array("127.0.0.1:1".utf8), Array("127.0.0.1:2".utf8)], originIndex: 1,
            unixSeconds: 784_111_777, captures: pattern.match(Array("/seven".utf8).span) ?? Captures())
        return String(
            decoding: template.rendered(in: context) { Array("<\(ValueText.text($0)) \($1)>".utf8) }, as: UTF8.self)
    }

    /// What each case tells a client in a run whose origins have the ports 1, 2, … of this machine; each reads back the same.
    private static func assignments(_ scenario: Scenario) throws -> [Assignment] {
        let authorities = scenario.origins.indices.map { Array("127.0.0.1:\($0 + 1)".utf8) }
        let schemes = scenario.origins.map(\.scheme)
        let files = TrustFiles(
            authority: "/ca/ca.pem",
            identities: [
                "alice": Assignment.Identity(
                    name: "alice", certificate: "/ca/alice.pem", key: "/ca/alice.key", pkcs12: "/ca/alice.p12",
                    passphrase: "proctor")
            ])
        let context = TemplateContext(
            base: Array("\(schemes[0].rawValue)://127.0.0.1:1/x".utf8), authorities: authorities, schemes: schemes,
            trust: scenario.speaksTLS ? files : nil)
        return try scenario.cases.map { item in
            let made = try item.assignment(scenario: scenario.id, run: "r1", in: context)
            guard try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made else {
                throw RowError(0, "the assignment of \(item.name) reads back as another one")
            }
            return made
        }
    }
}

/// What an origin speaks: by itself, and in runs of either protocol.
private struct Spoken {
    let protocols: [ApplicationProtocol]
    let speaksHTTP2: Bool
    let ownProtocols: [ApplicationProtocol]?
    let inRunOfHTTP2: [ApplicationProtocol]
    let inRunOfHTTP11: [ApplicationProtocol]
    let hasOwnALPN: Bool
    let alpn: (any Sendable)?
    let alpnInRunOfHTTP2: (any Sendable)?
    let alpnInRunOfHTTP11: (any Sendable)?

    init(_ origin: Origin) {
        protocols = origin.protocols
        speaksHTTP2 = origin.speaksHTTP2
        ownProtocols = origin.ownProtocols
        inRunOfHTTP2 = origin.protocols(inRunOf: .h2)
        inRunOfHTTP11 = origin.protocols(inRunOf: .http11)
        hasOwnALPN = origin.hasOwnALPN
        alpn = origin.tls?.applicationProtocols
        alpnInRunOfHTTP2 = origin.tls(inRunOf: .h2)?.applicationProtocols
        alpnInRunOfHTTP11 = origin.tls(inRunOf: .http11)?.applicationProtocols
    }
}

/// What a case asks of a client, by itself and in runs of either protocol.
private struct AskedCase {
    let speaksHTTP2: Bool
    let needsInRunOfHTTP2: Set<Ability>
    let needsInRunOfHTTP11: Set<Ability>
    let toldInRunOfHTTP2: String?
    let told: String?

    init(_ item: Case) {
        speaksHTTP2 = item.speaksHTTP2
        let asked = item.asked(inRunOf: .h2)
        needsInRunOfHTTP2 = asked.needs
        needsInRunOfHTTP11 = item.asked(inRunOf: .http11).needs
        let context = TemplateContext(
            base: Array("http://127.0.0.1:1".utf8), authorities: [Array("127.0.0.1:1".utf8)])
        toldInRunOfHTTP2 = try? asked.assignment(scenario: "a", in: context).protocolName
        told = try? item.assignment(scenario: "a", in: context).protocolName
    }
}
