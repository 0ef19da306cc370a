package proctor;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.zip.GZIPInputStream;

/** Finds the program proctor: the one that is named, the one in an artifact of this system's, or the one in PATH. */
final class Program {
    private Program() {}

    /** The value of PROCTOR_BINARY; else the path of the program in the class path, which the first call on a machine unpacks; else "proctor". */
    static String path() throws IOException {
        var named = System.getenv().getOrDefault("PROCTOR_BINARY", "");
        if (!named.isEmpty()) return named;
        var place = "program/" + system();
        // The name is one that no other program has.
        try (var name = Program.class.getResourceAsStream(place + "/name"); var packed = Program.class.getResourceAsStream(place + "/proctor.gz")) {
            return name == null || packed == null
                ? "proctor" : unpack(packed, new String(name.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    /** The classifier of the artifact with the program of this system, as os-maven-plugin calls it. */
    private static String system() {
        var architecture = System.getProperty("os.arch");
        return System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT) + "-"
            + switch (architecture) {
                case "amd64" -> "x86_64";
                case "aarch64" -> "aarch_64";
                default -> architecture;
            };
    }

    private static String unpack(InputStream packed, String name) throws IOException {
        var caches = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        var folder = (caches.startsWith("/") ? Path.of(caches) : Path.of(System.getProperty("user.home"), ".cache"))
            .resolve("proctor-program").resolve(name);
        var path = folder.resolve("proctor");
        if (Files.isExecutable(path)) return path.toString();
        Files.createDirectories(folder);
        var part = Files.createTempFile(folder, "part", "");
        try {
            Files.copy(new GZIPInputStream(packed), part, StandardCopyOption.REPLACE_EXISTING);
            if (!part.toFile().setExecutable(true)) throw new IOException(part + " can't be made executable");
            // Of several processes that unpack at once each moves a whole program to the same place.
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        return path.toString();
    }
}
