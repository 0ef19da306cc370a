import Testing

@testable import ProctorEvents
@testable import ProctorNotation
@testable import ProctorRules

struct CatalogueTests {
    /// The examples of later rules speak of several lanes at once.
    @Test(arguments: 1...33) func `the examples of a rule are notation`(_ number: Int) throws {
        let rule = try #require(Rules.rule(RuleNumber(number)))
        for example in [rule.legal, rule.illegal] {
            let lanes = Lane.allCases.filter { (try? Notation(parsing: example, lane: $0)) != nil }
            #expect(!lanes.isEmpty, "R\(number): \(example)")
        }
        #expect(rule.legal != rule.illegal)
    }

    @Test func `the catalogue is complete and in order`() {
        #expect(Rules.all.map(\.number.value) == Array(1...Rules.all.count))
        #expect(Rules.numbers == 1...Rules.all.count)
        for rule in Rules.all {
            #expect(!rule.title.isEmpty && !rule.statement.isEmpty && !rule.source.isEmpty && !rule.families.isEmpty)
            #expect(rule.statement.hasSuffix("."), "\(rule.number)")
        }
    }

    @Test func `the numbers of all rules fit the set of rules`() {
        for rule in Rules.all { #expect(RuleNumberSet.capacity ~= rule.number.value, "\(rule.number)") }
    }

    @Test func `every decidable rule has monitors, which name it`() {
        for rule in Rules.all {
            #expect(!rule.monitors.isEmpty || rule.limits?.contains("undecidable") == true, "\(rule.number)")
            for monitor in rule.monitors {
                switch monitor {
                case .load(let type):
                    #expect(type.rule.number == rule.number, "\(type)")
                    #expect(type.families.isSubset(of: rule.families), "\(type)")
                case .trace(let type): #expect(type.rule.number == rule.number, "\(type)")
                }
            }
        }
    }

    @Test func `a rule explains others, which exist`() {
        for rule in Rules.all {
            for consequence in rule.explains {
                #expect(consequence.rule != rule.number && Rules.rule(consequence.rule) != nil, "\(rule.number)")
            }
        }
    }
}
