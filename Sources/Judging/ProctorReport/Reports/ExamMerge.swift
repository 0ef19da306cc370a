package import ProctorGrading

/// Joins exams from several files: the parts of one client's exam become one exam.
package struct ExamMerge: Sendable {
    /// The exams, in the order in which their clients first occurred.
    package private(set) var exams: [ExamRecord] = []
    private var parts: [String: ExamParts] = [:]

    package init() {}

    /// The parts of exams that no file has, or has with fewer cases than they have, a sentence for each client.
    package var missingParts: [String] {
        exams.compactMap { exam in
            let missing = parts[exam.header.client]?.missing ?? []
            guard !missing.isEmpty else { return nil }
            let (word, verb) = missing.count == 1 ? ("part", "is") : ("parts", "are")
            return "\(word) \(missing.joined(separator: ", ")) of \(exam.header.client) \(verb) missing, or not whole"
        }
    }

    /// Adds an exam; of two records about one case, the later one counts.
    ///
    /// When another version has the same client name, the exam is renamed, and the returned sentence says so.
    package mutating func add(_ exam: ExamRecord) -> String? {
        guard let place = exams.firstIndex(where: { $0.header.client == exam.header.client }) else {
            exams.append(exam)
            parts[exam.header.client, default: ExamParts()].add(exam)
            return nil
        }
        guard exams[place].header.isOfSameClient(as: exam.header) else {
            var other = exam
            let name = "\(exam.header.client)@\(exam.header.clientVersion ?? exam.header.date ?? "other")"
            other.header.client = name
            for index in other.cases.indices { other.cases[index].client = name }
            guard !exams.contains(where: { $0.header.client == name }) else { return add(other) }
            exams.append(other)
            parts[name, default: ExamParts()].add(other)
            return "\(exam.header.client) is there in another version; this one is called \(name)"
        }
        parts[exam.header.client, default: ExamParts()].add(exam)
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
        // The cases of shards are interleaved, so the joined cases are sorted by id.
        exams[place].cases.sort { ($0.id.scenario, $0.id.name) < ($1.id.scenario, $1.id.name) }
        exams[place].header.join(exam.header, caseCount: exams[place].cases.count)
        return nil
    }
}

/// Which parts of one client's exam there are, as `--shard` made them.
private struct ExamParts: Sendable {
    /// Whether all cases of a part are there, by the numbers of parts in each count.
    private var isWhole: [Int: [Int: Bool]] = [:]
    private var hasAll = false

    mutating func add(_ exam: ExamRecord) {
        let numbers = exam.header.shard?.split(separator: "/").compactMap { Int($0) } ?? []
        guard numbers.count == 2 else { return hasAll = true }
        let hasEveryCase = exam.cases.count >= exam.header.caseCount ?? 0
        isWhole[numbers[1], default: [:]][numbers[0], default: false] = hasEveryCase
    }

    /// `2/3`, in order; none where the whole exam is there too.
    var missing: [String] {
        guard !hasAll else { return [] }
        return isWhole.sorted { $0.key < $1.key }.flatMap { count, parts in
            (1...max(1, count)).filter { parts[$0] != true }.map { "\($0)/\(count)" }
        }
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
        // The exam began when its first part began.
        if let date, let late = other.date { self.date = min(date, late) }
    }
}

extension CaseRecord {
    /// The record without data that only a failure needs: timeline, curl command, claims and heads of requests.
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
