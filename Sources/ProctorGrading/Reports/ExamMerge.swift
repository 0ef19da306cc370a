/// Puts exams of several files together: parts of one client's exam become one.
package struct ExamMerge: Sendable {
    /// In the order in which their clients first came.
    package private(set) var exams: [ExamRecord] = []

    package init() {}

    /// Adds an exam; of two records about one case the later one counts.
    ///
    /// Where another version has the client's name, the exam is renamed, and a sentence says so.
    package mutating func add(_ exam: ExamRecord) -> String? {
        guard let place = exams.firstIndex(where: { $0.header.client == exam.header.client }) else {
            exams.append(exam)
            return nil
        }
        guard exams[place].header.isOfSameClient(as: exam.header) else {
            var other = exam
            let name = "\(exam.header.client)@\(exam.header.clientVersion ?? exam.header.date ?? "other")"
            other.header.client = name
            for index in other.cases.indices { other.cases[index].client = name }
            guard !exams.contains(where: { $0.header.client == name }) else { return add(other) }
            exams.append(other)
            return "\(exam.header.client) is there in another version; this one is called \(name)"
        }
        var places = Dictionary(
            exams[place].cases.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 })
        for record in exam.cases {
            if let known = places[record.id] {
                exams[place].cases[known] = record
            } else {
                places[record.id] = exams[place].cases.count
                exams[place].cases.append(record)
            }
        }
        // Shards are dealt by turns, so that the order of the fixtures is that of the ids no more.
        exams[place].cases.sort { ($0.id.scenario, $0.id.name) < ($1.id.scenario, $1.id.name) }
        exams[place].header.join(exam.header, caseCount: exams[place].cases.count)
        return nil
    }
}

extension ExamHeader {
    fileprivate func isOfSameClient(as other: ExamHeader) -> Bool {
        (clientName, clientVersion, adapterVersion, platform)
            == (other.clientName, other.clientVersion, other.adapterVersion, other.platform)
    }

    fileprivate mutating func join(_ other: ExamHeader, caseCount: Int) {
        self.caseCount = caseCount
        if shard != other.shard { shard = nil }
        // The exam began with its first part.
        if let date, let late = other.date { self.date = min(date, late) }
    }
}

extension CaseRecord {
    /// Without what only a failure needs: its timeline, curl line, claims and heads of requests.
    package var compact: CaseRecord {
        guard !isFailure, outcome != "known" else { return self }
        var copy = self
        copy.timeline = []
        copy.curl = nil
        copy.curlShortfall = nil
        copy.claims = claims.filter { $0.state != "held" }
        copy.errorLines = []
        for index in copy.findings.indices { copy.findings[index].head = [] }
        return copy
    }
}
