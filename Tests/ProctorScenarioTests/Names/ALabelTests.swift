import Testing

@testable import ProctorScenario

/// RFC 3492 §7.1, as far as the samples are labels in lower case, and IDNs that are known.
struct ALabelTests {
    @Test(arguments: [
        ("bücher", "xn--bcher-kva"), ("Bücher", "xn--bcher-kva"), ("münchen", "xn--mnchen-3ya"),
        ("faß", "xn--fa-hia"), ("例え", "xn--r8jz45g"), ("中文", "xn--fiq228c"), ("правда", "xn--80aafi6cg"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("αβγ", "xn--mxacd"), ("ü", "xn--tda"), ("a-ü", "xn--a--yka"),
    ])
    func `a label has its A-label`(label: String, aLabel: String) {
        #expect(ALabel.of(label) == aLabel)
    }

    @Test(arguments: ["bu\u{308}cher", "a b", "☃", "ａ", "a.ü", String(repeating: "ü", count: 64)])
    func `what needs more than lower case has none`(label: String) {
        #expect(ALabel.of(label) == nil)
    }
}
