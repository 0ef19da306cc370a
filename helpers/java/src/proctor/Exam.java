package proctor;

import java.io.*;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** An exam inside a test: each case is a dynamic test of its own, and a function makes its loads. */
public final class Exam {
    /** Makes one load; what it throws is what the client gave in the place of a result. */
    @FunctionalInterface
    public interface Client {
        /** What {@link Load#result} or {@link Load#error} gave. */
        Map<String, Object> load(Load load) throws Exception;
    }

    private static Server shared;

    private final Map<String, Object> terms = new LinkedHashMap<>();
    private Path ledger;

    private Exam(List<String> cases) {
        var only = System.getenv().getOrDefault("PROCTOR_CASE", "");
        terms.put("cases", only.isEmpty() ? cases : List.of(only));
    }

    /** Of cases as {@code proctor exam} has them: {@code redirect/}, {@code family/scenario#case}, {@code *}. */
    public static Exam of(String... cases) { return new Exam(List.of(cases)); }

    /** What the client has (Docs/clients/abilities.md); a case that needs another ability is skipped. */
    public Exam abilities(String... words) { return with("abilities", List.of(words)); }

    /** The events at which the client can be cancelled. */
    public Exam moments(String... words) { return with("moments", List.of(words)); }

    /** What reports and the ledger call the client, and its version. */
    public Exam client(String name, String version) { return with("client", name).with("version", version); }

    /** What origins speak of which the scenario says nothing: {@code h2}. */
    public Exam protocol(String word) { return with("protocol", word); }

    /** A file of failures that are known; with the variable PROCTOR_WRITE_LEDGER it is brought up to date. */
    public Exam ledger(String file) {
        ledger = Path.of(file);
        return this;
    }

    private Exam with(String name, Object value) {
        terms.put(name, value);
        return this;
    }

    private static synchronized Server server() {
        if (shared == null) shared = new Server();
        return shared;
    }

    /** The tests, in the order of the cases. */
    public Stream<DynamicTest> tests(Client client) {
        var place = StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst()).orElseThrow();
        var method = place.getClassName() + "#" + place.getMethodName();
        terms.putIfAbsent("client", method);
        try {
            if (ledger != null && Files.exists(ledger)) terms.put("ledger", Files.readString(ledger));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var name = UUID.nameUUIDFromBytes((ProcessHandle.current().pid() + method + terms).getBytes(StandardCharsets.UTF_8)).toString();
        @SuppressWarnings("unchecked")
        var cases = (List<Map<String, String>>) Json.object(server().call("PUT", "exams/" + name, Json.text(terms))).get("cases");
        return cases.stream().map(it -> DynamicTest.dynamicTest(it.get("case"), () -> {
            if (it.containsKey("outcome")) throw new TestAbortedException(it.get("outcome") + ": " + it.get("reason"));
            examine("exams/" + name, it.get("case"), client, method);
        }));
    }

    /** How often a control is asked that goes wrong each time; the server says when it is enough. */
    private static final int CONTROL_LIMIT = 5;

    /** The call that judges a run, and its body. */
    private record Sat(String call, String body) {}

    private void examine(String exam, String name, Client client, String method) throws Exception {
        var sat = sit(exam, name, "case=" + encoded(name), "case=" + encoded(name.substring(name.indexOf('#') + 1)), client);
        var verdict = Json.object(server().call("POST", sat.call(), sat.body()));
        // A pass by what the client left undone counts where the client can do it.
        if (verdict.get("controls") instanceof List<?> controls) {
            for (var control : controls) meet(exam, (String) control, client);
            verdict = Json.object(server().call("POST", sat.call(), sat.body()));
        }
        report(new Verdict(verdict), exam, name, method);
    }

    /** Asks for a control until the server has seen enough of it. */
    private void meet(String exam, String control, Client client) throws Exception {
        for (int count = 0; count < CONTROL_LIMIT; count++) {
            var sat = sit(exam, "control/" + control, "control=" + encoded(control), "control=" + encoded(control), client);
            if (!Boolean.TRUE.equals(Json.object(server().call("POST", sat.call(), sat.body())).get("again"))) return;
        }
    }

    /** Has the client make the loads of a run. */
    @SuppressWarnings("unchecked")
    private Sat sit(String exam, String name, String what, String judged, Client client) throws Exception {
        var told = Json.object(server().call("POST", exam + "/sit?" + what, ""));
        var assignment = (Map<String, Object>) told.get("assignment");
        var steps = (List<Map<String, Object>>) assignment.get("steps");
        var results = Collections.synchronizedList(new ArrayList<Object>());
        var kept = new ArrayList<Object>();
        var work = new FutureTask<Void>(() -> {
            for (var step : steps) {
                var load = new Load(name, step, (Map<String, Object>) assignment.get("session"), kept);
                results.add(result(client, load));
            }
            return null;
        });
        // A load that never ends must not keep the tests from going on.
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        var call = exam + "/judge?run=" + told.get("run") + "&" + judged;
        try {
            work.get((Long) assignment.get("deadline"), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            call += "&hung=" + assignment.get("deadline");
        } catch (ExecutionException e) {
            server().call("DELETE", "runs/" + told.get("run"), "");
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            if (e.getCause() instanceof Error cause) throw cause;
            throw e;
        }
        // What the client leaves open ends here, and not in the time of the next case.
        kept.clear();
        return new Sat(call, Json.text(Map.of("results", List.copyOf(results))));
    }

    /** A failed assertion and an aborted test are the test's own; all else that is thrown came of the client. */
    private static Map<String, Object> result(Client client, Load load) {
        try {
            return client.load(load);
        } catch (TestAbortedException e) {
            throw e;
        } catch (Exception e) {
            return Map.of("error", Load.errorName(e), "message", e.toString());
        }
    }

    private void report(Verdict verdict, String exam, String name, String method) throws IOException {
        if (verdict.isFailure() && ledger != null && !System.getenv().getOrDefault("PROCTOR_WRITE_LEDGER", "").isEmpty()) {
            synchronized (Exam.class) {
                Files.createDirectories(ledger.toAbsolutePath().getParent());
                Files.writeString(ledger, server().call("GET", exam + "/ledger", ""));
            }
            throw new TestAbortedException("written to the ledger: " + verdict.data().getOrDefault("sentence", verdict.outcome()));
        }
        if (verdict.isFailure()) {
            // Workers of Gradle have this property.
            var isGradle = System.getProperty("org.gradle.test.worker") != null;
            var again = isGradle ? "gradle test --rerun-tasks --tests '" + method.replace('#', '.') + "'" : "mvn test -Dtest='" + method + "'";
            throw new AssertionFailedError(verdict.text() + "\n\nagain: PROCTOR_CASE='" + name + "' " + again);
        }
        if (verdict.data().get("unjudged") instanceof String reason) throw new TestAbortedException("not judged: " + reason);
        if (List.of("known", "lacks", "not-in-this-adapter", "skipped").contains(verdict.outcome())) {
            var ledger = ((Map<?, ?>) verdict.data().get("verdict")).get("ledger") instanceof Map<?, ?> entry ? entry.get("because") : null;
            throw new TestAbortedException(verdict.outcome() + (ledger == null ? "" : ": " + ledger));
        }
    }

    private static String encoded(String text) { return URLEncoder.encode(text, StandardCharsets.UTF_8); }
}
