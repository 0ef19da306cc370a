import Testing

@testable import ProctorTrace

struct CatalogueTests {
    @Test(arguments: 1...33) func `the examples of a rule of the first half are notation`(_ number: Int) throws {
        let rule = try #require(Rules.rule(RuleNumber(number)))
        for example in [rule.legal, rule.illegal] {
            let lanes = Lane.allCases.filter { (try? Notation(parsing: example, lane: $0)) != nil }
            #expect(!lanes.isEmpty, "R\(number): \(example)")
        }
        #expect(rule.legal != rule.illegal)
    }

    @Test func `the catalogue is complete and in order`() {
        #expect(Rules.all.map(\.number.value) == Array(1...58))
        for rule in Rules.all {
            #expect(!rule.title.isEmpty && !rule.statement.isEmpty && !rule.source.isEmpty && !rule.families.isEmpty)
            #expect(rule.statement.hasSuffix("."), "\(rule.number)")
        }
    }

    @Test func `every monitor has its rule and every decidable rule its monitor`() {
        let watched = Set(RuleMonitors.ofLoads.map { $0.rule } + RuleMonitors.ofTraces.map { $0.rule })
        for number in watched { #expect(Rules.rule(number) != nil, "\(number)") }
        for rule in Rules.all where rule.limits?.contains("undecidable") != true {
            #expect(watched.contains(rule.number), "\(rule.number)")
        }
    }

    @Test func `monitors watch families that their rule names`() throws {
        for monitor in RuleMonitors.ofLoads {
            let rule = try #require(Rules.rule(monitor.rule))
            #expect(monitor.families.isSubset(of: rule.families), "\(rule.number)")
        }
    }
}
