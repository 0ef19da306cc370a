import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario
@testable import ProctorTLSWire

struct TLSEffectReadingTests {
    @Test func `each name of an alert has a number of its own`() {
        let numbers = AlertDescription.names.compactMap { AlertDescription.number(named: $0) }
        #expect(numbers.count == AlertDescription.names.count)
        #expect(Set(numbers).count == numbers.count && numbers == numbers.sorted())
        #expect(AlertDescription.number(named: "alert") == nil)
    }
}
