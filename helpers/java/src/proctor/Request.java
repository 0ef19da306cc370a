package proctor;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import java.util.stream.Collectors;

/**
 * A request that came.
 *
 * @param fields names and values in order; a name may come twice
 * @param body the content without its codings, empty where there is none; as it came where it is not what they say
 * @param codedBody the content as it came
 * @param stub the one that answered it; null where none did
 * @param time when its head came, by a clock that does not jump: the difference of two is what they are apart
 * @param end how it ended: "read" where its reply was sent to its end, "left" where the client closed the connection before, "reset" where
 *     it reset that or the stream; null while it is under way, or where the server ended it
 * @param messages what the client sent on the WebSocket that it opened; Ping, Pong and Close are none
 */
public record Request(
    String method, String target, List<Map.Entry<String, String>> fields, byte[] body, byte[] codedBody, Stub stub, Duration time, String end,
    List<Message> messages) {
    /**
     * A message of a WebSocket.
     *
     * @param isText whether it is a text, of UTF-8
     */
    public record Message(boolean isText, byte[] content) {
        /** The content as UTF-8. */
        public String text() { return utf8(content); }
    }

    /** The values of a field, joined by commas (RFC 9110 §5.3); nothing where it did not come. */
    public Optional<String> header(String name) {
        var values = fields.stream().filter(it -> it.getKey().equalsIgnoreCase(name)).map(Map.Entry::getValue).toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", values));
    }

    /** The content as UTF-8. */
    public String text() { return utf8(body); }

    /** The content as JSON: maps, lists, texts, longs, doubles, booleans and null. */
    public Object json() { return Json.read(text()); }

    /** All requests of a run so far, in the order in which they came. */
    static List<Request> all(Run run) {
        var heads = new LinkedHashMap<Object, Map<String, Object>>();
        var rest = new HashMap<Object, Map<String, Object>>();
        var messages = new HashMap<Object, List<Message>>();
        for (var line : run.journal()) {
            var number = line.get("request");
            switch ((String) line.get("ev")) {
                case "requestHead" -> heads.put(number, line);
                case "requestBody", "exchangeChosen" -> rest.computeIfAbsent(number, it -> new HashMap<>()).putAll(line);
                case "replySent" -> rest.computeIfAbsent(number, it -> new HashMap<>()).put("end", "read");
                case "replyAborted" -> rest.computeIfAbsent(number, it -> new HashMap<>()).put("end", line.get("client"));
                case "webSocketFrame" -> message(line).ifPresent(it -> messages.computeIfAbsent(number, key -> new ArrayList<>()).add(it));
                default -> { }
            }
        }
        return heads.entrySet().stream().map(it -> one(
            run, it.getValue(), rest.getOrDefault(it.getKey(), Map.of()), messages.getOrDefault(it.getKey(), List.of()))).toList();
    }

    @SuppressWarnings("unchecked")
    private static Optional<Message> message(Map<String, Object> frame) {
        if (!frame.get("by").equals("client") || !(frame.get("message") instanceof Map<?, ?> message)) return Optional.empty();
        var isText = "text".equals(message.get("kind"));
        if (!isText && !"binary".equals(message.get("kind"))) return Optional.empty();
        return Optional.of(new Message(isText, kept((Map<String, Object>) message, "content")));
    }

    @SuppressWarnings("unchecked")
    private static Request one(Run run, Map<String, Object> head, Map<String, Object> rest, List<Message> messages) {
        var fields = ((List<?>) head.get("fields")).stream().map(it -> (List<?>) it)
            .map(it -> Map.entry(text(it.get(0)), text(it.get(1)))).collect(Collectors.toList());
        var stub = rest.get("exchange") instanceof Long place && place < run.stubs().size() ? run.stubs().get(place.intValue()) : null;
        var coded = kept(rest, "body");
        var body = rest.get("decoded") instanceof Map<?, ?> decoded ? kept((Map<String, Object>) decoded, "body") : coded;
        return new Request(
            utf8(kept(head, "method")), utf8(kept(head, "target")), fields, body, coded, stub, Duration.ofNanos((Long) head.get("ns")),
            (String) rest.get("end"), messages);
    }

    /** Bytes of the journal: a text, or base64 where they are none. */
    private static byte[] kept(Map<String, Object> line, String key) {
        if (line.get(key + "Base64") instanceof String packed) return Base64.getDecoder().decode(packed);
        return ((String) line.getOrDefault(key, "")).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Object value) {
        return value instanceof Map<?, ?> packed ? latin(Base64.getDecoder().decode((String) packed.get("base64"))) : (String) value;
    }

    private static String utf8(byte[] bytes) { return new String(bytes, StandardCharsets.UTF_8); }

    private static String latin(byte[] bytes) { return new String(bytes, StandardCharsets.ISO_8859_1); }
}
