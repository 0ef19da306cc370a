import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The tests of the kit: `java -cp CLASSES KitTest`. With `adapter` in KIT_TEST it is the adapter that they start. */
final class KitTest {
    private static final String GET = """
        {"version": 1, "scenario": "a/b", "case": "c", "deadline": 20000, "session": {"cookies": "always"}, "steps": \
        [{"method": "GET", "url": "http://127.0.0.1:1/", "headers": [], "bodyForm": "data", \
        "beforehand": {"follow": true}}]}""";
    private static int failures = 0;

    private record Outcome(int code, List<String> lines) {
        Part line(int index) { return Part.of(new Json(lines.get(index)).value()); }

        String names() {
            return String.join(" ", lines.stream().map(line -> {
                if (line.isEmpty()) return "-";
                var part = Part.of(new Json(line).value());
                return part.has("ev") ? part.text("ev") : "header";
            }).toList());
        }
    }

    public static void main(String[] words) throws Exception {
        if ("adapter".equals(System.getenv("KIT_TEST"))) {
            serve(words);
            return;
        }
        aTraceHasAHeaderAndTimesOfTheMonotonicClock();
        manyAssignmentsHaveATraceEach();
        whatTheClientLacksOrCannotBeToldIsRefused();
        anOpenStepHasAResultAtTheDeadline();
        whatIsNoAssignmentEndsWith64();
        jsonIsReadAndWritten();
        bodiesAndAnswers();
        theActsOfAConversationAreDoneInOrder();
        System.out.println(failures + " failures");
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void serve(String[] words) throws IOException {
        Proctor.serve(new Proctor.Adapter("tiny", "2", "1.0", "cancel redirects", "status", "data", assignment -> {
            if (assignment.parts("steps").get(0).text("url").equals("refused")) {
                throw new Proctor.Unimplemented(0, "steps[0].url: no");
            }
        }, (assignment, trace) -> {
            for (int task = 0; task < assignment.list("steps").size(); task++) {
                var step = assignment.parts("steps").get(task);
                if ("websocket".equals(step.text("task"))) {
                    talk(step, task, trace);
                    continue;
                }
                trace.event("resume", task);
                while (step.text("url").equals("hang")) Thread.onSpinWait();
                trace.event("result", task, "facts", Map.of("status", 200));
            }
        }), words);
    }

    /** A WebSocket that gives what it was sent, and closes as it was told. */
    private static final class Echo implements Conversation.Socket {
        private final ArrayDeque<Object> messages = new ArrayDeque<>();
        private Conversation.Close close;

        public String open() { return "chat"; }
        public void send(String text) { messages.add(text); }
        public void send(byte[] bytes) { messages.add(bytes); }
        public void ping() {}
        public Object receive() { return messages.remove(); }
        public void close(int code, String reason) { close = new Conversation.Close(code, reason); }
        public Throwable end() { return close == null ? new IOException("lost") : null; }
        public Conversation.Close closeFrame() { return close; }

        public void addFailure(Map<String, Object> facts, Throwable error) { facts.put("error", "unknown"); }
    }

    private static void talk(Part step, int task, Proctor.Trace trace) {
        try {
            new Conversation(step, task, trace, new Echo()).run("redirect");
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    private static void theActsOfAConversationAreDoneInOrder() throws Exception {
        var acts = """
            [{"act": "send", "text": "hello", "isText": true}, {"act": "send", "base64": "AP8=", "isText": false}, \
            {"act": "ping"}, {"act": "receive", "count": 2}, {"act": "close", "code": 1000, "reason": "bye"}]""";
        var talk = GET.replace("\"bodyForm\"", "\"task\": \"websocket\", \"conversation\": " + acts + ", \"bodyForm\"");
        var outcome = run(talk, Map.of());
        expect(outcome.names(), "header resume wsOpen wsSent wsSent wsPong wsReceived wsReceived wsClose complete result");
        expect(outcome.line(2).text("arg"), "chat");
        expect(outcome.line(3).part("facts").number("crc32"), 907060870L);
        expect(outcome.line(10).part("facts").text("messages"), "[\"text hello\",\"binary 00ff\"]");
        var empty = run(talk.replace("{\"act\": \"ping\"}", "{\"act\": \"receive\", \"count\": 3}"), Map.of());
        expect(empty.names(), "header resume wsOpen wsSent wsSent wsReceived wsReceived wsReceived complete result");
        expect(empty.line(8).text("arg"), "unknown");
    }

    private static Outcome run(String input, Map<String, String> environment, String... words) throws Exception {
        var command = new ArrayList<>(List.of(
            ProcessHandle.current().info().command().orElse("java"), "-XX:TieredStopAtLevel=1", "-cp",
            System.getProperty("java.class.path"), "KitTest"));
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        builder.environment().put("KIT_TEST", "adapter");
        var process = builder.start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(UTF_8));
        } catch (IOException error) {
            // It has ended without reading.
        }
        var text = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS)) process.destroyForcibly();
        return new Outcome(process.exitValue(), text.lines().toList());
    }

    private static void expect(Object found, Object wanted) {
        if (wanted.equals(found)) return;
        failures++;
        var caller = StackWalker.getInstance().walk(frames -> frames.skip(1).findFirst().orElseThrow());
        var place = caller.getMethodName() + ", line " + caller.getLineNumber();
        System.out.println(place + ": " + found + ", wanted " + wanted);
    }

    private static void aTraceHasAHeaderAndTimesOfTheMonotonicClock() throws Exception {
        long before = System.nanoTime();
        var outcome = run(GET, Map.of());
        long after = System.nanoTime();
        expect(outcome.code, 0);
        expect(outcome.names(), "header resume result");
        expect(outcome.line(0).text("client") + outcome.line(0).text("case"), "tinyc");
        boolean isLinux = System.getProperty("os.name").equals("Linux");
        expect(outcome.line(0).text("clock"), isLinux ? "monotonic" : "other");
        for (int index = 1; isLinux && index < 3; index++) {
            long at = outcome.line(index).number("ns");
            expect(before < at && at < after, true);
        }
        expect(outcome.line(2).part("facts").number("status"), 200L);
    }

    private static void manyAssignmentsHaveATraceEach() throws Exception {
        var second = GET.replace("http://127.0.0.1:1/", "refused");
        var outcome = run(GET + "\n" + second + "\n", Map.of("PROCTOR_ASSIGNMENTS", "many"));
        expect(outcome.code, 0);
        expect(outcome.names(), "header resume result - header unimplemented -");
    }

    private static void whatTheClientLacksOrCannotBeToldIsRefused() throws Exception {
        for (var row : new String[][] {
            {"\"needs\": [\"cancel\", \"suspend\"], ", "", "needs: tiny has no suspend"},
            {"", "\"onChallenge\": [{\"answer\": \"use\"}], ", "steps[0].onChallenge: tiny answers no challenge"},
            {"", "\"cancelAt\": {\"event\": \"redirect\"}, ", "steps[0].cancelAt: tiny can't be cancelled then"},
            {"", "\"onResponse\": \"never\", ", "steps[0].onResponse: tiny can't say never"},
            {"", "\"download\": {}, ", "steps[0].download: tiny decides nothing about a file"},
        }) {
            var input = GET.replace("\"deadline\"", row[0] + "\"deadline\"");
            expect(run(input.replace("\"beforehand\"", row[1] + "\"beforehand\""), Map.of()).line(1).text("arg"), row[2]);
        }
        var untold = GET.replace("\"beforehand\"", "\"later\"");
        var reason = "steps[0].beforehand: tiny is told no such answers before a load";
        expect(run(untold, Map.of()).line(1).text("arg"), reason);
        var told = "\"cancelAt\": {\"event\": \"data\"}, \"onChallenge\": [{\"answer\": \"use\"}], \"challengeCount\": 0, ";
        expect(run(GET.replace("\"beforehand\"", told + "\"beforehand\""), Map.of()).names(), "header resume result");
    }

    private static void anOpenStepHasAResultAtTheDeadline() throws Exception {
        var outcome = run(GET.replace("http://127.0.0.1:1/", "hang").replace("20000", "1500"), Map.of());
        expect(outcome.code, 0);
        expect(outcome.names(), "header resume result");
        expect(outcome.line(2).part("facts").text("domain"), "adapter");
    }

    private static void whatIsNoAssignmentEndsWith64() throws Exception {
        for (var input : List.of("", "{", "{\"version\": 2}")) expect(run(input, Map.of()).code, 64);
        expect(run("", Map.of(), "--nonsense").code, 64);
        expect(run("", Map.of(), "--version").lines, List.of("tiny 1.0"));
    }

    private static void jsonIsReadAndWritten() {
        var text = "{\"a\":[1,-2,true,false,\"q\\u00e9\\n\\\"\\\\\\/\\ud83d\\ude00\"],\"b\":{},\"c\":[],\"d\":1.5}";
        var value = new Json(text).value();
        var wanted = new LinkedHashMap<String, Object>();
        wanted.put("a", List.of(1L, -2L, true, false, "qé\n\"\\/😀"));
        wanted.put("b", Map.of());
        wanted.put("c", List.of());
        wanted.put("d", 1.5);
        expect(value, wanted);
        expect(new Json(Json.text(value)).value(), wanted);
        for (var broken : List.of("{\"a\"", "[1,", "\"a", "nul", "")) {
            try {
                new Json(broken).value();
                expect(broken, "an error");
            } catch (RuntimeException error) {
                // As it should.
            }
        }
    }

    private static void bodiesAndAnswers() {
        var body = Part.of(new Json("{\"text\": \"ab\", \"count\": 5}").value());
        expect(new String(body.content(), UTF_8), "ababa");
        expect(Part.of(new Json("{\"base64\": \"AP8=\"}").value()).content()[1], (byte) 255);
        var facts = new LinkedHashMap<String, Object>();
        Part.addBody(facts, new byte[] {(byte) 255}, 1);
        expect(facts, Map.of("bytes", 1L, "bodyBase64", "/w=="));
        var step = Part.of(new Json("{\"bodyForm\": \"bound-pair\", \"on\": [{}, {}], \"count\": 1}").value());
        expect(step.isStreamed(), true);
        expect(step.met("on", "count").size(), 1);
        expect(step.met("on", "none").size(), 2);
    }
}
