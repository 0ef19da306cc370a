import ProctorBase
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
        #expect(Rules.all.map(\.number.value) == Rules.all.map(\.number.value).sorted())
        #expect(Set(Rules.all.map(\.number)).count == Rules.all.count && Rules.numbers.lowerBound == 1)
        for rule in Rules.all {
            #expect(!rule.title.isEmpty && !rule.statement.isEmpty && !rule.source.isEmpty && !rule.families.isEmpty)
            #expect(rule.statement.hasSuffix("."), "\(rule.number)")
        }
    }

    @Test func `every file of a rule is in the list of rules`() throws {
        let project = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let rules = project + "/Sources/Vocabulary/ProctorRules/Rules"
        let folders = try FolderList.names(in: rules).filter { !$0.hasSuffix(".swift") }
        let files = try folders.flatMap { try FolderList.names(in: "\(rules)/\($0)") }
        let numbers = files.map { Int($0.dropFirst().prefix(while: \.isNumber)) }
        #expect(Set(numbers) == Set(Rules.all.map(\.number.value)))
    }

    @Test func `the numbers of all rules fit the set of rules`() {
        for rule in Rules.all { #expect(RuleNumberSet.capacity ~= rule.number.value, "\(rule.number)") }
    }

    @Test func `every decidable rule has monitors, of no other families than its own`() {
        for rule in Rules.all {
            #expect(!rule.monitors.isEmpty || rule.limits?.contains("undecidable") == true, "\(rule.number)")
        }
        for monitor in Rules.loadMonitors {
            let families = Set(Rules.rule(monitor.rule)?.families ?? [])
            #expect(monitor.families.isSubset(of: families), "\(monitor.type)")
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
