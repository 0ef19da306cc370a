import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * What a step does over its WebSocket, with its events as the trace has them (Docs/clients/trace.md).
 *
 * An adapter writes a {@code Socket}; all its methods are called by the thread of {@code run}, and may block.
 */
final class Conversation {
    static final String LANES = "task handler harness";
    static final String FACTS = "messages protocol closeCode closeReason error message";

    /** Code and reason of a Close frame; 1005 where it has no code. */
    record Close(int code, String reason) {}

    interface Socket {
        /** Does the opening handshake; gives the protocol that the server chose, or an empty text. */
        String open() throws Exception;

        void send(String text) throws Exception;
        void send(byte[] bytes) throws Exception;

        /** Comes back when the Pong has come. */
        void ping() throws Exception;

        /** The next message, a text or an array of bytes; throws where none can come any more. */
        Object receive() throws Exception;

        /** Starts the closing handshake. */
        void close(int code, String reason) throws Exception;

        /** Waits for the end; gives the error by which the WebSocket failed, or null behind a closing handshake. */
        Throwable end() throws Exception;

        /** The server's Close frame, or null. */
        Close closeFrame();

        /** Adds error, domain and message. */
        void addFailure(Map<String, Object> facts, Throwable error);
    }

    /** Characters of texts and bytes that are told: more of them might not fit a line of the trace. */
    private static final int LIMIT = 160 << 10;

    private interface Act { Object perform() throws Exception; }

    private final Part step;
    private final int task;
    private final Proctor.Trace trace;
    private final Socket socket;
    private final List<String> messages = new ArrayList<>();
    private int length = 0;

    Conversation(Part step, int task, Proctor.Trace trace, Socket socket) {
        this.step = step;
        this.task = task;
        this.trace = trace;
        this.socket = socket;
    }

    /** Throws for a step that is no WebSocket, or says what such a client is told nothing of. */
    static void check(List<Part> steps, String client) {
        for (int task = 0; task < steps.size(); task++) {
            var reason = refusal(steps.get(task));
            if (reason != null) throw new Proctor.Unimplemented(task, "steps[" + task + "]." + reason.formatted(client));
        }
    }

    private static String refusal(Part step) {
        if (!"websocket".equals(step.text("task"))) return "task: %s opens a WebSocket";
        for (var key : List.of("body", "form", "query", "timeout", "cancelAt")) {
            if (step.has(key)) return key + ": %s is told a WebSocket without it";
        }
        for (var act : step.parts("conversation")) {
            var word = act.text("act");
            if (word.equals("cancel")) return "conversation: %s is not told to leave without a Close frame";
            if (word.equals("close") && !act.has("code")) return "conversation: %s sends no Close frame without a code";
            if (word.equals("send") && act.has("isText") && act.has("base64")) {
                return "conversation: %s sends no text that is no UTF-8";
            }
        }
        return null;
    }

    /** The whole step, from its resume to its result; {@code without} are the events that the client does not tell. */
    void run(String without) throws Exception {
        trace.event("resume", task, "facts", Map.of("without", without));
        var facts = new LinkedHashMap<String, Object>();
        Throwable failure;
        try {
            var protocol = socket.open();
            if (!protocol.isEmpty()) facts.put("protocol", protocol);
            say("task", "wsOpen", protocol.isEmpty() ? null : protocol, null);
            act();
            failure = socket.end();
        } catch (Exception error) {
            failure = error;
        }
        var close = socket.closeFrame();
        if (close != null) {
            facts.put("closeCode", close.code);
            if (!close.reason.isEmpty()) facts.put("closeReason", close.reason);
            say("task", "wsClose", "" + close.code, close.reason.isEmpty() ? null : Map.of("closeReason", close.reason));
        }
        if (failure != null) socket.addFailure(facts, failure);
        say("task", "complete", failure == null ? "ok" : (String) facts.get("error"), null);
        if (length <= LIMIT) facts.put("messages", Json.text(messages));
        trace.event("result", task, "facts", facts);
    }

    private void say(String lane, String name, String arg, Object facts) {
        trace.callback(lane, name, task, "WS", arg, facts);
    }

    /** Does the acts in order, up to the first that fails. */
    private void act() {
        for (var act : step.parts("conversation")) {
            switch (act.text("act")) {
                case "send" -> {
                    var text = act.has("text") ? act.text("text") : "";
                    var bytes = act.has("base64")
                        ? Base64.getDecoder().decode(act.text("base64")) : text.getBytes(StandardCharsets.UTF_8);
                    Object message = act.has("isText") ? text : bytes;
                    if (!attempt("wsSent", () -> {
                        if (message instanceof String one) socket.send(one);
                        else socket.send(bytes);
                        return message;
                    })) return;
                }
                case "ping" -> {
                    if (!attempt("wsPong", () -> {
                        socket.ping();
                        return null;
                    })) return;
                }
                case "receive" -> {
                    for (long left = act.number("count"); left > 0; left--) {
                        if (!attempt("wsReceived", socket::receive)) return;
                    }
                }
                default -> {
                    try {
                        socket.close((int) act.number("code"), act.has("reason") ? act.text("reason") : "");
                    } catch (Exception error) {
                        // The end of the connection tells it.
                    }
                    return;
                }
            }
        }
    }

    private boolean attempt(String name, Act act) {
        try {
            var message = act.perform();
            if (name.equals("wsReceived")) {
                length += message instanceof String text ? text.length() : ((byte[]) message).length;
                if (length <= LIMIT) messages.add(told(message));
            }
            say("handler", name, "ok", message == null ? null : facts(message));
            return true;
        } catch (Exception error) {
            var facts = new LinkedHashMap<String, Object>();
            socket.addFailure(facts, error);
            say("handler", name, (String) facts.remove("error"), facts);
            return false;
        }
    }

    private static String told(Object message) {
        return message instanceof String text ? "text " + text : "binary " + HexFormat.of().formatHex((byte[]) message);
    }

    private static Map<String, Object> facts(Object message) {
        var bytes = message instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) message;
        var sum = new CRC32();
        sum.update(bytes);
        return Map.of("bytes", (long) bytes.length, "crc32", sum.getValue(), "isText", message instanceof String);
    }
}
