import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Departures with one meaning: failures of a case that is about them, remarks of every other one.
extension WireGrader {
    /// One failure for each departure that the case does not tolerate, and one remark for each that it does.
    ///
    /// Violations of requests and frames are not among them, since they are findings of their own.
    func departureFindings(_ record: WireRecord) -> [Finding] {
        let credentials = record.verdicts.flatMap { sequence, request, verdict in
            verdict.remarks.compactMap { remark in
                Departure(remark).map { departure in
                    Seen(
                        departure, sequence: sequence, request: request, text: "\(remark)", got: remark.kind.rawValue,
                        subject: .credential(verdict.with(fault: remark)))
                }
            }
        }
        let cookies = record.cookieVerdicts.flatMap { sequence, request, verdict in
            verdict.differences.compactMap { difference in
                Departure(difference).map { departure in
                    Seen(
                        departure, sequence: sequence, request: request, text: CookieText.sentence(difference),
                        wanted: CookieText.expected(verdict), got: CookieText.sent(verdict),
                        subject: .cookies(verdict.with(difference)))
                }
            }
        }
        var told: Set<Departure> = []
        return (credentials + cookies).filter { told.insert($0.departure).inserted }.map { seen in
            let owner = seen.request.map { "request \($0): " } ?? ""
            let text = EventText.printable("\(owner)\(seen.text)", limit: 1_000)
            let request = seen.request.map { record.request($0) }
            guard !item.untolerated.contains(seen.departure) else {
                return Finding(
                    subject: seen.subject, sentence: text, wanted: seen.wanted, got: seen.got,
                    sequence: seen.sequence, request: request, location: item.location)
            }
            return Finding(
                subject: .tolerated(seen.departure), weight: .observation,
                sentence: "\(text); tolerated here, \(seen.departure.row.owner) is about it", sequence: seen.sequence,
                request: request)
        }
    }

    private struct Seen {
        let departure: Departure
        let sequence: UInt64
        let request: Int?
        let text: String
        // Of the failure, where it is one.
        let wanted: String?
        let got: String
        let subject: Finding.Subject

        init(
            _ departure: Departure, sequence: UInt64, request: Int?, text: String, wanted: String? = nil, got: String,
            subject: Finding.Subject
        ) {
            self.departure = departure
            self.sequence = sequence
            self.request = request
            self.text = text
            self.wanted = wanted
            self.got = got
            self.subject = subject
        }
    }
}

extension GuardVerdict {
    /// The verdict with that fault alone.
    fileprivate func with(fault: CredentialFault) -> GuardVerdict {
        GuardVerdict(
            guardName: guardName, field: field, attempt: attempt, scheme: scheme, user: user, nonceCount: nonceCount,
            outcome: outcome, faults: [fault])
    }
}

extension CookieVerdict {
    /// The verdict with that difference alone.
    fileprivate func with(_ difference: CookieDifference) -> CookieVerdict {
        CookieVerdict(
            sent: sent, expected: expected, conformsTo: conformsTo, differences: [difference],
            undecidedCount: undecidedCount)
    }

    /// The verdict without differences of form, which are findings of their own.
    func withoutDepartures() -> CookieVerdict {
        CookieVerdict(
            sent: sent, expected: expected, conformsTo: conformsTo, differences: Self.withoutDepartures(differences),
            undecidedCount: undecidedCount,
            otherwise: otherwise.map { other in
                CookieReading(
                    other.edition, expected: other.expected, differences: Self.withoutDepartures(other.differences))
            })
    }

    private static func withoutDepartures(_ differences: [CookieDifference]) -> [CookieDifference] {
        differences.filter { Departure($0) == nil }
    }
}
