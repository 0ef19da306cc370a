import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON (RFC 8259) as maps, lists, texts, longs, doubles and booleans, which Java itself does not read. */
final class Json {
    private final String text;
    private int at = 0;

    Json(String text) { this.text = text; }

    Object value() {
        if (take('{')) return object();
        if (take('[')) return array();
        if (take('"')) return string();
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
        var word = text.substring(from, at);
        if (word.equals("null")) return null;
        if (word.equals("true") || word.equals("false")) return word.equals("true");
        return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    }

    private boolean take(char wanted) {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        if (at == text.length()) throw new IllegalArgumentException("the JSON ends too early");
        if (text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private void expect(char wanted) {
        if (!take(wanted)) throw new IllegalArgumentException("no JSON at character " + at + ": expected " + wanted);
    }

    private Map<String, Object> object() {
        var found = new LinkedHashMap<String, Object>();
        if (take('}')) return found;
        do {
            expect('"');
            var key = string();
            expect(':');
            found.put(key, value());
        } while (take(','));
        expect('}');
        return found;
    }

    private List<Object> array() {
        var found = new ArrayList<Object>();
        if (take(']')) return found;
        do found.add(value()); while (take(','));
        expect(']');
        return found;
    }

    private String string() {
        var found = new StringBuilder();
        for (; text.charAt(at) != '"'; at++) {
            char one = text.charAt(at);
            if (one == '\\') {
                one = text.charAt(++at);
                if (one == 'u') {
                    one = (char) Integer.parseInt(text, at + 1, at + 5, 16);
                    at += 4;
                } else if ("bfnrt".indexOf(one) >= 0) {
                    one = "\b\f\n\r\t".charAt("bfnrt".indexOf(one));
                }
            }
            found.append(one);
        }
        at++;
        return found.toString();
    }

    /** The JSON of a value, in one line. */
    static String text(Object value) {
        var out = new StringBuilder();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, one) -> out.append(out.isEmpty() ? "" : ",").append(text(key)).append(':').append(text(one)));
            return "{" + out + "}";
        }
        if (value instanceof List<?> list) {
            return "[" + String.join(",", list.stream().map(Json::text).toList()) + "]";
        }
        if (!(value instanceof String string)) return String.valueOf(value);
        string.chars().forEach(unit -> {
            if (unit >= 0x20 && unit != '"' && unit != '\\') out.append((char) unit);
            else out.append(String.format("\\u%04x", unit));
        });
        return "\"" + out + "\"";
    }
}
