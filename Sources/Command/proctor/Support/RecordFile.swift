internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading

/// A file of exam records that is extended during the exam; safe from any thread.
final class RecordFile: Sendable {
    private let file: ReportFile
    private let path: String
    /// The claim to write the file; nil when several processes may write, for example to a pipe.
    private let claim: FileClaim?
    /// The exams of an interrupted run, without timelines; empty for a new run.
    private let formerExams: [ExamRecord]
    private let state: Locked<State>

    private struct State {
        var hasBegun = false
        /// The number of bytes of all lines, those that wait too.
        var size = 0
        /// What could not be written yet, from the middle of a line on where a part of it was.
        var pending: [UInt8] = []
        var isFailureTold = false
        /// The last line about each case.
        var lines: [Key: Range<Int>] = [:]
    }

    private struct Key: Hashable {
        let client: String
        let id: CaseID
    }

    /// Reads the records of the path where the exam `resumes`.
    init(path: String, flag: String, resumes: Bool, _ output: Output) throws {
        let file = try ReportFile(path, flag: flag, output)
        var claim: FileClaim?
        if file.isRegular {
            claim = try FileClaim(of: path)
            guard claim != nil else {
                throw InputFailure(
                    "\(flag) \(path) can't be written: another exam is writing it; wait for its end, or name another file"
                )
            }
        }
        (self.claim, self.file, self.path) = (claim, file, path)
        var state = State()
        var exams: [ExamRecord] = []
        if resumes {
            let bytes = try InputFile.bytes(of: path)
            var reader = ExamRecordReader()
            try reader.read(bytes, file: path)
            exams = reader.exams
            // The file is written again, since its last line may be incomplete.
            var text: [UInt8] = []
            for exam in exams {
                text += exam.header.json
                for record in exam.cases {
                    let line = record.json()
                    state.lines[Key(client: record.client, id: record.id)] = text.count..<(text.count + line.count)
                    text += line
                }
            }
            try AtomicFile.replace(path, with: String(decoding: text, as: UTF8.self))
            state.size = text.count
            state.hasBegun = true
        }
        for exam in exams.indices {
            for record in exams[exam].cases.indices { exams[exam].cases[record].timeline = [] }
        }
        formerExams = exams
        self.state = Locked(state)
    }

    /// The exam of a client in an interrupted run.
    func former(_ client: String) -> ExamRecord? { formerExams.first { $0.header.client == client } }

    func add(_ header: ExamHeader) { state.withLock { state in append(header.json, to: &state) } }

    func add(_ record: CaseRecord) {
        let line = record.json()
        state.withLock { state in
            state.lines[Key(client: record.client, id: record.id)] = state.size..<(state.size + line.count)
            append(line, to: &state)
        }
    }

    private func append(_ line: [UInt8], to state: inout State) {
        state.size += line.count
        state.pending += line
        guard let failure = flush(&state), !state.isFailureTold else { return }
        state.isFailureTold = true
        file.reportFailure(failure, "records wait in memory until it can")
    }

    /// Writes what waits; the failure where it waits on.
    private func flush(_ state: inout State) -> CallFailure? {
        if !state.hasBegun {
            do throws(CallFailure) { try file.clear() } catch { return error }
            state.hasBegun = true
        }
        let (byteCount, failure) = file.append(state.pending)
        state.pending.removeFirst(byteCount)
        return failure
    }

    /// Reads all records that were written; empty when the path is no regular file.
    func written() throws -> [ExamRecord] {
        guard file.isRegular else { return [] }
        var reader = ExamRecordReader()
        try reader.read(try InputFile.bytes(of: path), file: path)
        return reader.exams
    }

    /// Sorts the lines of a regular file into this order; false when it can't be written, and the error was printed.
    func finish(_ exams: [(header: ExamHeader, cases: [CaseID])]) -> Bool {
        let (failure, lines, lostCount) = state.withLock { state in
            (flush(&state), state.lines, state.pending.count)
        }
        if let failure {
            file.reportFailure(
                failure, "the last \(lostCount) bytes of records are lost; --resume asks those cases again")
            return false
        }
        guard file.isRegular else { return true }
        guard let bytes = try? InputFile.bytes(of: path, limit: .max) else {
            file.reportFailure(.system("read"), "its lines stand in the order in which the cases ended")
            return false
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for (header, ids) in exams {
            text += header.json
            for id in ids {
                guard let range = lines[Key(client: header.client, id: id)], range.upperBound <= bytes.count else {
                    continue
                }
                text += bytes[range]
            }
        }
        return file.finish(with: String(decoding: text, as: UTF8.self))
    }
}
