import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON values are Map, List, String, Boolean, BigDecimal and null. */
final class Json {
    static final class Malformed extends RuntimeException {
        Malformed(String m) { super(m); }
    }

    private static final int MAX_DEPTH = 256;
    private final String src;
    private int at;
    private int depth;

    private Json(String src) { this.src = src; }

    static Object parse(String text) {
        Json p = new Json(text);
        p.blank();
        Object v = p.value();
        p.blank();
        if (p.at != text.length()) throw p.bad("unexpected text after the value");
        return v;
    }

    private Malformed bad(String what) { return new Malformed(what + " at offset " + at); }

    private void blank() {
        while (at < src.length()) {
            char c = src.charAt(at);
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
            at++;
        }
    }

    private Object value() {
        if (at >= src.length()) throw bad("unexpected end");
        char c = src.charAt(at);
        switch (c) {
            case '{': return object();
            case '[': return array();
            case '"': return string();
            case 't': return word("true", Boolean.TRUE);
            case 'f': return word("false", Boolean.FALSE);
            case 'n': return word("null", null);
            default: return number();
        }
    }

    private Object word(String w, Object v) {
        if (!src.startsWith(w, at)) throw bad("unknown word");
        at += w.length();
        return v;
    }

    private Map<String, Object> object() {
        if (++depth > MAX_DEPTH) throw bad("nested too deeply");
        Map<String, Object> m = new LinkedHashMap<>();
        at++;
        blank();
        if (peek() == '}') { at++; depth--; return m; }
        while (true) {
            blank();
            if (peek() != '"') throw bad("a member name is expected");
            String k = string();
            blank();
            if (peek() != ':') throw bad("':' is expected");
            at++;
            blank();
            m.put(k, value());
            blank();
            char c = peek();
            at++;
            if (c == '}') { depth--; return m; }
            if (c != ',') throw bad("',' or '}' is expected");
        }
    }

    private List<Object> array() {
        if (++depth > MAX_DEPTH) throw bad("nested too deeply");
        List<Object> l = new ArrayList<>();
        at++;
        blank();
        if (peek() == ']') { at++; depth--; return l; }
        while (true) {
            blank();
            l.add(value());
            blank();
            char c = peek();
            at++;
            if (c == ']') { depth--; return l; }
            if (c != ',') throw bad("',' or ']' is expected");
        }
    }

    private char peek() {
        if (at >= src.length()) throw bad("unexpected end");
        return src.charAt(at);
    }

    private String string() {
        StringBuilder b = new StringBuilder();
        at++;
        while (true) {
            char c = peek();
            at++;
            if (c == '"') return b.toString();
            if (c < 0x20) throw bad("control character in a string");
            if (c != '\\') { b.append(c); continue; }
            char e = peek();
            at++;
            switch (e) {
                case '"': case '\\': case '/': b.append(e); break;
                case 'b': b.append('\b'); break;
                case 'f': b.append('\f'); break;
                case 'n': b.append('\n'); break;
                case 'r': b.append('\r'); break;
                case 't': b.append('\t'); break;
                case 'u':
                    if (at + 4 > src.length()) throw bad("unexpected end");
                    int code = 0;
                    for (int i = 0; i < 4; i++) {
                        int d = Character.digit(src.charAt(at++), 16);
                        if (d < 0) throw bad("bad escape");
                        code = code * 16 + d;
                    }
                    b.append((char) code);
                    break;
                default: throw bad("bad escape");
            }
        }
    }

    private boolean digits() {
        int from = at;
        while (at < src.length() && src.charAt(at) >= '0' && src.charAt(at) <= '9') at++;
        return at > from;
    }

    private Object number() {
        int from = at;
        if (src.charAt(at) == '-') at++;
        int lead = at;
        if (!digits()) throw bad("a value is expected");
        if (src.charAt(lead) == '0' && at - lead > 1) throw bad("a number with a leading zero");
        if (at < src.length() && src.charAt(at) == '.') {
            at++;
            if (!digits()) throw bad("digits are expected");
        }
        if (at < src.length() && (src.charAt(at) == 'e' || src.charAt(at) == 'E')) {
            at++;
            if (at < src.length() && (src.charAt(at) == '+' || src.charAt(at) == '-')) at++;
            if (!digits()) throw bad("digits are expected");
        }
        String raw = src.substring(from, at);
        if (raw.length() > 400) throw bad("a number is too long");
        try {
            BigDecimal d = new BigDecimal(raw);
            if (Math.abs((long) d.scale()) > 1000 || Math.abs((long) d.precision() - d.scale()) > 400) throw bad("a number out of range");
            return d;
        } catch (NumberFormatException | ArithmeticException e) {
            throw bad("a number out of range");
        }
    }

    static String write(Object v) {
        StringBuilder b = new StringBuilder(512);
        emit(v, b);
        return b.toString();
    }

    private static void emit(Object v, StringBuilder b) {
        if (v == null || v instanceof Boolean || v instanceof Number) {
            b.append(v);
        } else if (v instanceof CharSequence) {
            text(v.toString(), b);
        } else if (v instanceof Map<?, ?> m) {
            b.append('{');
            String sep = "";
            for (Map.Entry<?, ?> e : m.entrySet()) {
                b.append(sep);
                text(e.getKey().toString(), b);
                b.append(':');
                emit(e.getValue(), b);
                sep = ",";
            }
            b.append('}');
        } else if (v instanceof Iterable<?> l) {
            b.append('[');
            String sep = "";
            for (Object o : l) {
                b.append(sep);
                emit(o, b);
                sep = ",";
            }
            b.append(']');
        } else {
            throw new IllegalStateException("not a JSON value: " + v.getClass());
        }
    }

    private static void text(String s, StringBuilder b) {
        b.append('"');
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '"' || c == '\\') b.append('\\').append(c);
            else if (c == '\n') b.append("\\n");
            else if (c < 0x20 || Character.isSurrogate(c) && lone(s, i)) b.append(String.format("\\u%04x", (int) c));
            else b.append(c);
        }
        b.append('"');
    }

    private static boolean lone(String s, int i) {
        char c = s.charAt(i);
        if (Character.isHighSurrogate(c)) return i + 1 >= s.length() || !Character.isLowSurrogate(s.charAt(i + 1));
        return i == 0 || !Character.isHighSurrogate(s.charAt(i - 1));
    }

    /** An ordered object from alternating keys and values. */
    static Map<String, Object> obj(Object... kv) {
        Map<String, Object> m = new LinkedHashMap<>();
        for (int i = 0; i < kv.length; i += 2) m.put((String) kv[i], kv[i + 1]);
        return m;
    }

    static List<Object> list(Object... vs) {
        List<Object> l = new ArrayList<>();
        for (Object v : vs) l.add(v);
        return l;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asMap(Object o) { return (Map<String, Object>) o; }

    @SuppressWarnings("unchecked")
    static List<Object> asList(Object o) { return (List<Object>) o; }

    static List<String> strings(Object o) {
        List<String> l = new ArrayList<>();
        for (Object x : (List<?>) o) l.add((String) x);
        return l;
    }
}
