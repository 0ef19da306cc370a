package proctor;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.*;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** The server at PROCTOR_SERVER, or one that is started once for all tests of the process and ends with them. */
final class Server implements CloseableResource, AutoCloseable {
    private static final int START_SECONDS = 30;

    /** Ends the server when its own input ends. The system closes that with this process, however the process ends. */
    private static final String GUARDIAN =
        "trap '' INT HUP; \"$@\" </dev/null 2>&1 & server=$!; exec >&- 2>&-; read -r line; kill \"$server\"";

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .proxy(HttpClient.Builder.NO_PROXY).connectTimeout(Duration.ofSeconds(START_SECONDS)).build();
    private String token = System.getenv().getOrDefault("PROCTOR_TOKEN", "");
    private final String base;
    private volatile boolean isReady;
    private Path trustFile;
    private PrintStream input = new PrintStream(OutputStream.nullOutputStream());

    Server() {
        var variables = System.getenv();
        var running = variables.getOrDefault("PROCTOR_SERVER", "");
        base = running.isEmpty() ? start() : running.replaceAll("/+$", "");
    }

    private String start() {
        var said = new StringBuilder();
        var program = "proctor";
        try {
            program = Program.path();
            var command = new ProcessBuilder(
                "/bin/sh", "-c", GUARDIAN, "sh", program, "serve", "--port", "0", "--own-token", "--ephemeral-ca", "--grace",
                "0");
            var process = command.start();
            input = new PrintStream(process.getOutputStream());
            CompletableFuture.delayedExecutor(START_SECONDS, TimeUnit.SECONDS).execute(() -> { if (!isReady) close(); });
            var lines = process.inputReader();
            for (var line = lines.readLine(); line != null && said.length() < 1 << 16; line = lines.readLine()) {
                if (line.startsWith("{\"proctor\":\"ready\"")) {
                    isReady = true;
                    // The server never waits for its reader.
                    var reader = new Thread(() -> lines.lines().forEach(next -> {}), "proctor");
                    reader.setDaemon(true);
                    reader.start();
                    var ready = Json.object(line);
                    // Other users of the machine reach the port too, and the token keeps them out of what the tests send.
                    token = (String) ready.get("token");
                    return (String) ready.get("base");
                }
                said.append('\n').append(line);
            }
        } catch (IOException e) {
            said.append(e);
        }
        close();
        throw new IllegalStateException(program + " serve ended, or was not ready within " + START_SECONDS + " s; PROCTOR_BINARY"
            + " is the path of proctor, and PROCTOR_SERVER the URL of a running one:" + said);
    }

    /** Makes one call of the control API; the exception of one that was refused has the server's sentence. */
    String call(String method, String path, String body) {
        try {
            var request = HttpRequest.newBuilder(URI.create(base + "/__proctor/" + path)).timeout(Duration.ofSeconds(60))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
            if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() < 300) return response.body();
            var isRefusal = response.body().startsWith("{\"error\":{");
            if (!isRefusal) throw new IOException("status " + response.statusCode() + ", and no JSON of proctor's");
            throw new IllegalStateException("" + ((Map<?, ?>) Json.object(response.body()).get("error")).get("message"));
        } catch (IOException | InterruptedException | IllegalArgumentException e) {
            throw new IllegalStateException("no answer of proctor at " + base + ": " + e, e);
        }
    }

    /** The path of a file with the certificate of the authority, PEM, which is there until the process ends. */
    synchronized String trustFile() {
        try {
            if (trustFile == null) {
                trustFile = Files.writeString(Files.createTempFile("proctor", ".pem"), call("GET", "ca.pem", ""));
                trustFile.toFile().deleteOnExit();
            }
            return trustFile.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says which exchanges of the scenarios that were used no request asked for, where the server is our own, and ends that. */
    @Override
    public void close() {
        if (isReady) reportUnused();
        input.close();
    }

    private void reportUnused() {
        try {
            var lines = (java.util.List<?>) Json.object(call("GET", "unused", "")).get("unused");
            if (lines.isEmpty()) return;
            System.err.println("proctor: exchanges that no test asked for:");
            for (var line : lines) System.err.println("  " + line);
        } catch (IllegalStateException e) {
            System.err.println("proctor: " + e.getMessage());
        }
    }
}
