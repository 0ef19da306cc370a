import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Departures that keep one meaning: failures in a case about them, remarks in every other case.
extension WireGrader {
    /// One failure for each departure that the case does not tolerate, and one remark for each that it does.
    ///
    /// Violations in requests and frames are not included, since they have findings of their own.
    func departureFindings(_ record: WireRecord) -> [Finding] {
        let credentials = record.verdicts.flatMap { seen in
            seen.note.remarks.compactMap { remark in
                Departure(remark).map { departure in
                    finding(
                        departure, seen, in: record, text: "\(remark)", got: remark.kind.rawValue,
                        subject: .credential(seen.note.with(fault: remark)))
                }
            }
        }
        let cookies = record.cookieVerdicts.flatMap { seen in
            seen.note.differences.compactMap { difference in
                Departure(difference).map { departure in
                    finding(
                        departure, seen, in: record, text: CookieText.sentence(difference),
                        wanted: CookieText.expected(seen.note), got: CookieText.sent(seen.note),
                        subject: .cookies(seen.note.with(difference)))
                }
            }
        }
        var departures: Set<Departure> = []
        return (credentials + cookies).filter { departures.insert($0.departure).inserted }.map(\.finding)
    }

    /// A failure, or a remark where the case tolerates the departure.
    private func finding<Note>(
        _ departure: Departure, _ seen: Seen<Note>, in record: WireRecord, text: String, wanted: String? = nil,
        got: String, subject: Finding.Subject
    ) -> (departure: Departure, finding: Finding) {
        let owner = seen.request.map { "request \($0): " } ?? ""
        let text = EventText.printable("\(owner)\(text)", limit: 1_000)
        let request = record.reference(seen.request)
        if item.untolerated.contains(departure) {
            let failure = Finding(
                subject: subject, sentence: text, wanted: wanted, got: got, sequence: seen.sequence, request: request,
                location: item.location)
            return (departure, failure)
        }
        let remark = Finding(
            subject: .tolerated(departure), weight: .observation,
            sentence: "\(text); tolerated here, \(departure.row.owner) is about it", sequence: seen.sequence,
            request: request)
        return (departure, remark)
    }
}

extension GuardVerdict {
    fileprivate func with(fault: CredentialFault) -> GuardVerdict {
        GuardVerdict(
            guardName: guardName, field: field, attempt: attempt, scheme: scheme, user: user, nonceCount: nonceCount,
            message: message, outcome: outcome, faults: [fault])
    }
}

extension CookieVerdict {
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
