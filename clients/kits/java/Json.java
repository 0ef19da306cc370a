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
        switch (next()) {
            case '{': return object();
            case '[': return array();
            case '"': return string();
            case 't': return word("true", true);
            case 'f': return word("false", false);
            case 'n': return word("null", null);
            default: return number();
        }
    }

    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        if (at == text.length()) throw new IllegalArgumentException("the JSON ends too early");
        return text.charAt(at);
    }

    private boolean take(char wanted) {
        if (next() != wanted) return false;
        at++;
        return true;
    }

    private void expect(char wanted) {
        if (!take(wanted)) throw new IllegalArgumentException("no JSON at character " + at + ": expected " + wanted);
    }

    private Map<String, Object> object() {
        var found = new LinkedHashMap<String, Object>();
        expect('{');
        if (take('}')) return found;
        do {
            next();
            var key = string();
            expect(':');
            found.put(key, value());
        } while (take(','));
        expect('}');
        return found;
    }

    private List<Object> array() {
        var found = new ArrayList<Object>();
        expect('[');
        if (take(']')) return found;
        do found.add(value()); while (take(','));
        expect(']');
        return found;
    }

    private String string() {
        var found = new StringBuilder();
        for (expect('"'); text.charAt(at) != '"'; at++) {
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

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) throw new IllegalArgumentException("no JSON at character " + at);
        at += word.length();
        return meaning;
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
        var digits = text.substring(from, at);
        if (digits.matches("-?[0-9]+")) return Long.valueOf(digits);
        return Double.valueOf(digits);
    }

    /** The JSON of a value, in one line. */
    static String text(Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            map.forEach((key, one) -> {
                if (out.charAt(out.length() - 1) != '{') out.append(',');
                write(key, out);
                write(one, out.append(':'));
            });
            out.append('}');
        } else if (value instanceof List<?> list) {
            out.append('[');
            for (var one : list) write(one, out.charAt(out.length() - 1) == '[' ? out : out.append(','));
            out.append(']');
        } else if (value instanceof String string) {
            out.append('"');
            string.chars().forEach(unit -> {
                if (unit >= 0x20 && unit != '"' && unit != '\\') out.append((char) unit);
                else out.append(String.format("\\u%04x", unit));
            });
            out.append('"');
        } else {
            out.append(value);
        }
    }
}
