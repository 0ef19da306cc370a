import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// A violation or a fault of a credential that a fact lists by its kind, as the journal tells it.
struct ListedFault: Sendable, Equatable {
    /// What is wrong.
    let sentence: String
    /// The section of the rule: `RFC 9112 §9.6`.
    let section: String
}

extension WireRecord {
    /// The first of that kind among those that the fact lists; nil for a fact that lists none.
    func listedFault(named kind: String, in fact: FactName) -> ListedFault? {
        switch fact {
        case .wire(let index, .violations):
            guard exchanges.indices.contains(index) else { return nil }
            let exchange = exchanges[index]
            return exchange.violations.first { $0.kind.rawValue == kind }.map {
                ListedFault(sentence: $0.sentence, section: $0.section)
            } ?? exchange.frameViolations.first { $0.kind == kind }.map(ListedFault.init)
        case .http2(let index, .violations):
            let spoken = http2Connections
            guard spoken.indices.contains(index) else { return nil }
            return frameViolations.first { $0.connection == spoken[index] && $0.note.kind == kind }.map {
                ListedFault($0.note)
            }
        case .http3(let index, .violations):
            let spoken = http3Connections
            guard spoken.indices.contains(index) else { return nil }
            return frameViolations.first { $0.connection == spoken[index] && $0.note.kind == kind }.map {
                ListedFault($0.note)
            }
        case .webSocket(let index, .violations):
            guard webSockets.indices.contains(index) else { return nil }
            for case .violation(let violation) in exchanges[webSockets[index]].webSocket where violation.kind == kind {
                return ListedFault(sentence: violation.sentence, section: violation.section)
            }
            return nil
        case .wire(let index, .guardFaults):
            guard exchanges.indices.contains(index) else { return nil }
            return exchanges[index].verdicts.firstFault(named: kind)
        case .guarding(let name, .faults):
            return verdicts.map(\.note).filter { name == nil || $0.guardName == name }.firstFault(named: kind)
        case .socks(let index, .violations):
            return socks(index)?.violations.first { $0.kind == kind }.map {
                ListedFault(sentence: $0.sentence, section: $0.section)
            }
        case .dns(let index, .violations):
            guard dns.questions.indices.contains(index) else { return nil }
            return dns.questions[index].violations.first { $0.kind == kind }.map {
                ListedFault(sentence: $0.sentence, section: $0.section)
            }
        default: return nil
        }
    }
}

extension [GuardVerdict] {
    fileprivate func firstFault(named kind: String) -> ListedFault? {
        lazy.flatMap(\.faults).first { $0.kind.rawValue == kind }.map {
            ListedFault(sentence: $0.sentence, section: $0.section)
        }
    }
}

extension ListedFault {
    fileprivate init(_ note: FrameViolationNote) {
        self.init(sentence: note.sentence, section: note.section)
    }
}
