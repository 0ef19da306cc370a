internal import Foundation
internal import ProctorEvents

/// The evidence of an exam as files for `proctor grade`.
enum EvidenceFiles {
    /// The case's name, `SCENARIO#CASE`, without characters that file names can't have.
    static func name(of run: any ServedRun) -> String {
        let name = "\(run.scenarioID)#\(run.caseName)"
        return String(name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." ? $0 : "_" })
    }

    static func trace(_ events: [TraceEvent], of run: any ServedRun, isMonotonic: Bool) -> [UInt8] {
        var bytes = TraceWriter.line(
            TraceHeader(
                client: "test", isMonotonic: isMonotonic, scenario: run.scenarioID, caseName: run.caseName))
        for event in events { bytes += TraceWriter.line(event) }
        return bytes
    }

    /// Writes files into the folder PROCTOR_EVIDENCE; creates the folder, and replaces files of the same names.
    ///
    /// Returns a sentence when that fails.
    static func write(_ files: [(name: String, bytes: [UInt8])]) -> String? {
        guard let folder = ProcessInfo.processInfo.environment["PROCTOR_EVIDENCE"], !folder.isEmpty else { return nil }
        do {
            let place = URL(fileURLWithPath: folder, isDirectory: true)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (name, bytes) in files {
                try Data(bytes).write(to: place.appendingPathComponent(name), options: .atomic)
            }
            return nil
        } catch {
            return "PROCTOR_EVIDENCE names '\(folder)', where nothing can be written: \(error.localizedDescription)"
        }
    }
}
