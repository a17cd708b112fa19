import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A small vocabulary for what a request body may hold. Every problem is collected. */
final class Rules {
    record Problem(String field, String code, String detail) { }

    interface Rule { void check(Object v, String at, List<Problem> out); }

    private Rules() { }

    private static void type(List<Problem> out, String at, String wanted) {
        out.add(new Problem(at, "invalid_type", "expected " + wanted));
    }

    static final Rule ANY = (v, at, out) -> { };
    static final Rule TEXT = (v, at, out) -> { if (!(v instanceof String)) type(out, at, "a string"); };
    static final Rule FLAG = (v, at, out) -> { if (!(v instanceof Boolean)) type(out, at, "a boolean"); };
    static final Rule NUMBER = (v, at, out) -> { if (!(v instanceof BigDecimal)) type(out, at, "a number"); };
    static final Rule OBJECT = (v, at, out) -> { if (!(v instanceof Map)) type(out, at, "an object"); };
    static final Rule INTEGER = (v, at, out) -> { if (!integral(v)) type(out, at, "an integer"); };

    static boolean integral(Object v) {
        return v instanceof BigDecimal d && d.stripTrailingZeros().scale() <= 0;
    }

    static Rule orNull(Rule r) {
        return (v, at, out) -> { if (v != null) r.check(v, at, out); };
    }

    static int length(String s) { return s.codePointCount(0, s.length()); }

    static Rule text(int min, int max, Pattern pattern) {
        return (v, at, out) -> {
            if (!(v instanceof String s)) { type(out, at, "a string"); return; }
            if (length(s) < min) out.add(new Problem(at, "too_short", "at least " + min + " characters"));
            if (length(s) > max) out.add(new Problem(at, "too_long", "at most " + max + " characters"));
            if (pattern != null && !pattern.matcher(s).matches())
                out.add(new Problem(at, "pattern", "must match " + pattern.pattern()));
        };
    }

    static Rule oneOf(String... members) {
        List<String> all = List.of(members);
        return (v, at, out) -> {
            if (!(v instanceof String s)) type(out, at, "a string");
            else if (!all.contains(s)) out.add(new Problem(at, "not_allowed", "one of " + String.join(", ", all)));
        };
    }

    /** Inclusive on both sides; null leaves a side open. */
    static Rule between(Rule base, String lo, String hi) {
        BigDecimal low = lo == null ? null : new BigDecimal(lo);
        BigDecimal high = hi == null ? null : new BigDecimal(hi);
        return (v, at, out) -> {
            int before = out.size();
            base.check(v, at, out);
            if (out.size() > before) return;
            BigDecimal d = (BigDecimal) v;
            if (low != null && d.compareTo(low) < 0 || high != null && d.compareTo(high) > 0)
                out.add(new Problem(at, "out_of_range", "must be from " + lo + " to " + hi));
        };
    }

    /** lo <= x < hi. */
    static Rule below(String lo, String hi) {
        BigDecimal low = new BigDecimal(lo);
        BigDecimal high = new BigDecimal(hi);
        return (v, at, out) -> {
            NUMBER.check(v, at, out);
            if (v instanceof BigDecimal d && (d.compareTo(low) < 0 || (Faults.on(14) ? d.compareTo(high) > 0 : d.compareTo(high) >= 0)))
                out.add(new Problem(at, "out_of_range", lo + " <= x < " + hi));
        };
    }

    static final Rule MORE_THAN_ONE = between(INTEGER, "2", null);

    static Rule listOf(Rule item) { return listOf(item, Integer.MAX_VALUE); }

    static Rule listOf(Rule item, int max) {
        return (v, at, out) -> {
            if (!(v instanceof List<?> l)) { type(out, at, "an array"); return; }
            if (l.size() > max) out.add(new Problem(at, "too_many", "at most " + max + " entries"));
            for (int i = 0; i < l.size(); i++) item.check(l.get(i), at + "/" + i, out);
        };
    }

    static final Rule TEXTS = listOf(TEXT);

    static Shape shape() { return new Shape(); }

    /** An object with known members; unknown members are let through. */
    static final class Shape implements Rule {
        private final Map<String, Rule> members = new LinkedHashMap<>();
        private final List<String> required = new ArrayList<>();
        private final List<Rule> whole = new ArrayList<>();

        Shape opt(Rule r, String... names) {
            for (String n : names) members.put(n, r);
            return this;
        }

        Shape req(Rule r, String... names) {
            for (String n : names) { members.put(n, r); required.add(n); }
            return this;
        }

        Shape also(Rule r) { whole.add(r); return this; }

        Iterable<String> names() { return members.keySet(); }

        @Override public void check(Object v, String at, List<Problem> out) {
            if (!(v instanceof Map<?, ?> m)) { type(out, at, "an object"); return; }
            for (String n : required)
                if (!m.containsKey(n)) out.add(new Problem(at + "/" + n, "required", "is required"));
            for (Map.Entry<String, Rule> e : members.entrySet())
                if (m.containsKey(e.getKey())) e.getValue().check(m.get(e.getKey()), at + "/" + e.getKey(), out);
            int before = out.size();
            if (before == 0) for (Rule r : whole) r.check(v, at, out);
        }
    }

    static final Shape OWNER = shape().opt(TEXT, "ownerID", "ownerType", "ownerName", "ownerEmail", "name");

    static void enforce(Rule rule, Map<String, Object> body) {
        List<Problem> out = new ArrayList<>();
        rule.check(body, "", out);
        if (!out.isEmpty()) throw ApiError.invalid(out);
    }
}
