import ProctorBase
package import ProctorEvents

/// Reads files of exam records: JSON lines with a header for each client, and its cases in any order.
///
/// Of two lines about the same case of the same client, the later one counts, and so does the later of two headers.
package struct ExamRecordReader: Sendable {
    private var records: [(header: ExamHeader, cases: [CaseRecord?])] = []
    private var clients: [String: Int] = [:]
    /// For each client, the indexes of its cases.
    private var places: [[CaseID: Int]] = []
    private var caseCount = 0
    /// Whether the last line was cut, for example by an interruption; it is not in the records.
    package private(set) var isCut = false

    package init() {}

    /// The exams in the order of their headers, without clients that have neither a case nor an `absence`.
    package var exams: [ExamRecord] {
        records.map { ExamRecord(header: $0.header, cases: $0.cases.compactMap(\.self)) }
    }

    /// Reads a whole file; `file` is the name that errors use.
    package mutating func read(_ bytes: [UInt8], file: String) throws(TraceReadingError) {
        var start = 0
        var number = 0
        while start < bytes.count {
            number += 1
            let end = bytes[start...].firstIndex(of: 0x0A)
            let line = bytes[start..<(end ?? bytes.count)]
            start = (end ?? bytes.count) + 1
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            do throws(LineFault) {
                try read(line)
            } catch {
                // Only the last line of an interrupted exam lacks its end.
                if end == nil, error.isEnd {
                    isCut = true
                    return
                }
                throw TraceReadingError(
                    location: SourceLocation(file: file, line: number, column: error.offset + 1),
                    sentence: error.sentence)
            }
        }
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(LineFault) {
        guard line.count <= RecordBounds.lineBytes else {
            throw LineFault(0, "the line has more than \(RecordBounds.lineBytes) bytes, which is the limit")
        }
        let tree = try JSONTree.read(Array(line).span)
        guard case .object(let members) = tree else { throw LineFault(0, "a record is an object") }
        if members["exam"] != nil {
            add(try ExamHeader(reading: tree, "a record"))
        } else if members["case"] != nil {
            try add(try CaseRecord(reading: tree, "a record"))
        } else {
            throw LineFault(0, "this is no record of an exam, as 'proctor exam --json' writes them")
        }
    }

    private mutating func add(_ header: ExamHeader) {
        if let place = clients[header.client] {
            records[place].header = header
            return
        }
        clients[header.client] = records.count
        records.append((header, []))
        places.append([:])
    }

    private mutating func add(_ record: CaseRecord) throws(LineFault) {
        guard let client = clients[record.client] else {
            throw LineFault(
                0, "a case comes before the header of its client; older files have none: hold the exam again")
        }
        if let place = places[client][record.id] {
            // The later record is moved to the end, where its case was run last.
            records[client].cases[place] = nil
        } else {
            caseCount += 1
            guard caseCount <= RecordBounds.cases else {
                throw LineFault(0, "there are more than \(RecordBounds.cases) cases, which is the limit")
            }
        }
        places[client][record.id] = records[client].cases.count
        records[client].cases.append(record)
    }
}
