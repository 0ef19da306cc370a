internal import ProctorBase
internal import ProctorGrading
internal import ProctorReport
internal import ProctorScenario

let reportCommand = Command(name: "report", words: { ["show", "merge", "diff", "html", "matrix", "issue"] }) {
    arguments, context in
    guard let verb = arguments.operands.first else {
        throw UsageError(
            "'report' needs what to do: show, merge, diff, html, matrix, ledger or issue; see 'proctor help report'")
    }
    let rest = Array(arguments.operands.dropFirst())
    let report = ReportVerbs(arguments: arguments, context: context)
    switch verb {
    case "show": return try report.show(rest)
    case "merge": return try report.merge(rest)
    case "diff": return try report.diff(rest)
    case "html": return try report.html(rest)
    case "matrix": return try report.matrix(rest)
    case "ledger":
        return try LedgerReport(addsNew: arguments.has("--new"), output: context.output).write(rest)
    case "issue": return try await IssueReport(arguments: arguments, context: context).write(rest)
    default:
        let hint = NearestName.hint(
            for: verb, in: ["show", "merge", "diff", "html", "matrix", "ledger", "issue"],
            else: "show, merge, diff, html, matrix, ledger or issue")
        throw UsageError("'report' can't \(verb); \(hint)")
    }
}

private struct ReportVerbs {
    let arguments: ParsedArguments
    let context: CommandContext

    private var output: Output { context.output }

    private func exams(of paths: [String], for verb: String) throws -> [ExamRecord] {
        try merged(paths, for: verb).exams
    }

    /// The exams of files together; says which parts of them are missing.
    private func merged(_ paths: [String], for verb: String) throws -> ExamMerge {
        guard !paths.isEmpty else { throw UsageError("'report \(verb)' needs a file of records") }
        guard paths.count(where: { $0 == "-" }) < 2 else { throw UsageError("standard input can be read once") }
        var merge = ExamMerge()
        for path in paths {
            var reader = ExamRecordReader()
            try reader.read(try InputFile.bytes(of: path), file: InputFile.name(of: path))
            if reader.isCut { output.message("\(InputFile.name(of: path)): the last line is broken off, and left out") }
            if reader.exams.isEmpty { output.message("\(InputFile.name(of: path)) has no records") }
            for exam in reader.exams {
                if let note = merge.add(exam) { output.message("\(InputFile.name(of: path)): \(note)") }
            }
        }
        for sentence in merge.missingParts { output.message(sentence) }
        return merge
    }

    func show(_ paths: [String]) throws -> ExitCode {
        for (index, exam) in try exams(of: paths, for: "show").enumerated() {
            if index > 0 { output.line("") }
            output.line("\(exam.header.title) on \(exam.header.platform)\(exam.header.date.map { ", \($0)" } ?? "")")
            let summary = RecordSummary(exam.cases)
            for line in summary.caseLines(isComplete: arguments.has("--verbose")) { output.line(line) }
            for line in summary.causeLines + summary.kindLines { output.line(line) }
            output.line(exam.header.absence.map { "not asked: \($0)" } ?? summary.tally)
        }
        return .success
    }

    func merge(_ paths: [String]) throws -> ExitCode {
        guard let out = arguments["--out"] else { throw UsageError("'report merge' needs -o OUT, the file to write") }
        let merge = try merged(paths, for: "merge")
        let exams = merge.exams
        let file = try ReportFile(out, flag: "--out", output)
        var text: [UInt8] = []
        for exam in exams {
            text += exam.header.json
            for record in exam.cases { text += (arguments.has("--compact") ? record.compact : record).json() }
        }
        guard file.replace(with: String(decoding: text, as: UTF8.self)) else { return .failure }
        let records = exams.flatMap(\.cases)
        let counts = OutcomeCounts(records.lazy.map(\.outcome))
        let known = counts.known == 0 ? "" : ", \(counts.known) of them known"
        let failures = counts.failed == 0 ? "" : ", \(Plural.count(counts.failed, "failure"))\(known),"
        output.message(
            "\(Plural.count(exams.count, "client")), \(Plural.count(records.count, "case"))\(failures) in \(out)")
        return merge.missingParts.isEmpty ? .success : .failure
    }

    func html(_ operands: [String]) throws -> ExitCode {
        guard operands.count > 1, let folder = operands.first, FileKind(of: folder) != .regular else {
            throw UsageError(
                "'report html' takes a folder, and then files of records: proctor report html DIR records.jsonl")
        }
        let exams = try exams(of: Array(operands.dropFirst()), for: "html")
        let library = try FixtureLocation(environment: context.environment).library(of: arguments)
        return ReportSite.write(exams, to: folder, fixtures: library.find(), output) ? .success : .failure
    }

    /// Each operand behind the folder is `BOARD=FILE`, or a file whose name is that of its board.
    func matrix(_ operands: [String]) throws -> ExitCode {
        guard operands.count > 1, let folder = operands.first, FileKind(of: folder) != .regular else {
            throw UsageError(
                "'report matrix' takes a folder, and then files of records, each with the name of its table where that is not "
                    + "the file's: proctor report matrix DIR HTTP/1.1=records.jsonl")
        }
        var boards: [(name: String, paths: [String])] = []
        for operand in operands.dropFirst() {
            let parts = operand.split(separator: "=", maxSplits: 1).map(String.init)
            let isNamed = parts.count == 2 && FileKind(of: operand) == nil
            let path = isNamed ? parts[1] : operand
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let name = isNamed ? parts[0] : path == "-" ? "records" : String(file.prefix { $0 != "." })
            if let place = boards.firstIndex(where: { $0.name == name }) {
                boards[place].paths.append(path)
            } else {
                boards.append((name, [path]))
            }
        }
        guard boards.flatMap(\.paths).count(where: { $0 == "-" }) < 2 else {
            throw UsageError("standard input can be read once")
        }
        let matrix = Matrix(
            try boards.map { ($0.name, try exams(of: $0.paths, for: "matrix")) }, version: CommandLine.version)
        do {
            var site = try ReportFolder(folder, of: "matrix", marks: ["matrix.css"])
            let byteCount = try matrix.write { try site.write($0.bytes, to: $0.path) }
            site.removeOldPages()
            let tenths = (byteCount + 99_999) / 100_000
            let size = "\(tenths / 10).\(tenths % 10) MB"
            output.message("the matrix is \(site.path)/index.html (\(Plural.count(site.fileCount, "file")), \(size))")
            return .success
        } catch {
            output.message("\(error)")
            return .failure
        }
    }

    func diff(_ paths: [String]) throws -> ExitCode {
        guard paths.count == 2 else { throw UsageError("'report diff' takes two files: BEFORE and AFTER") }
        let before = try exams(of: [paths[0]], for: "diff")
        let after = try exams(of: [paths[1]], for: "diff")
        let kind = try arguments["--kind"].map { word throws(UsageError) -> Case.Kind in
            guard let kind = Case.Kind(rawValue: word) else {
                throw UsageError("--kind takes must, should or observes, not '\(word)'")
            }
            return kind
        }
        var isWorse = false
        for (old, new) in try pairs(before, after) {
            let difference = ExamDifference(from: old.only(kind), to: new.only(kind))
            output.line("\(old.header.title) -> \(new.header.title)")
            for line in difference.lines(isComplete: arguments.has("--verbose")) { output.line(line) }
            isWorse = isWorse || !difference.worse.isEmpty
        }
        return isWorse ? .failure : .success
    }

    /// The pairs of exams to compare: of the named clients, of the only ones, or those with the same name.
    private func pairs(_ before: [ExamRecord], _ after: [ExamRecord]) throws(UsageError) -> [(ExamRecord, ExamRecord)] {
        if arguments["--before"] != nil || arguments["--after"] != nil || before.count == 1 && after.count == 1 {
            return [(try one(of: before, "--before"), try one(of: after, "--after"))]
        }
        let pairs = before.compactMap { old in
            after.first { $0.header.client == old.header.client }.map { (old, $0) }
        }
        guard !pairs.isEmpty else {
            throw UsageError("the files have no client of one name; say which with --before CLIENT and --after CLIENT")
        }
        return pairs
    }

    private func one(of exams: [ExamRecord], _ flag: String) throws(UsageError) -> ExamRecord {
        let names = exams.map(\.header.client)
        guard let name = arguments[flag] else {
            guard exams.count == 1, let only = exams.first else {
                throw UsageError("say with \(flag) CLIENT which of \(names.joined(separator: ", ")) is meant")
            }
            return only
        }
        guard let exam = exams.first(where: { $0.header.client == name }) else {
            let hint = NearestName.hint(for: name, in: names, else: "there are \(names.joined(separator: ", "))")
            throw UsageError("\(flag): the file has no client '\(name)'; \(hint)")
        }
        return exam
    }
}

extension ExamRecord {
    fileprivate func only(_ kind: Case.Kind?) -> ExamRecord {
        guard let kind else { return self }
        return ExamRecord(header: header, cases: cases.filter { $0.kind == kind })
    }
}
