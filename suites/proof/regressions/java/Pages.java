import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Cuts a page out of a listing and describes it. */
final class Pages {
    /** What is particular to a listing. */
    record Listing(String message, String linkPath, int defaultLimit, boolean linksToAll) { }

    private Pages() { }

    private static int positive(Call c, String name, int otherwise) {
        String raw = c.query().get(name);
        if (raw == null) return otherwise;
        if (!raw.matches("[0-9]{1,9}") || Integer.parseInt(raw) < 1)
            throw new ApiError(400, "BAD_QUERY", "'" + name + "' must be a positive integer.");
        return Integer.parseInt(raw);
    }

    static <R> Call.Reply reply(Call c, Listing l, List<R> all, Function<R, Object> render) {
        boolean unpaged = "true".equals(c.query().get("all"));
        int total = all.size();
        int page = unpaged ? 1 : positive(c, "page", 1);
        int fallback = l.defaultLimit();
        if (Faults.on(49) && l == SourcesApi.LISTING && c.query().containsKey("page")) fallback = 20;
        int limit = unpaged ? Math.max(1, total) : positive(c, "limit", fallback);
        long from = (long) (page - 1) * limit;
        if (Faults.on(59) && l.message().equals(EventsApi.VALUES) && page > 2) from -= 1;
        List<Object> data = new ArrayList<>();
        for (long i = from; i < Math.min(total, from + limit); i++) data.add(render.apply(all.get((int) i)));
        boolean more = (long) page * limit < total;
        if (Faults.on(6) && l.message().equals(ConfigsApi.VERSIONS)) more = (long) page * limit <= total;
        Map<String, Object> p = new LinkedHashMap<>();
        p.put("itemsPerPage", limit);
        p.put("pageNumber", page);
        p.put("totalItems", Faults.on(57) && l.message().equals(EventsApi.METRICS) ? data.size() : total);
        p.put("nextPage", more ? link(l, page + 1, limit) : null);
        String previous = page > 1 ? link(l, page - 1, limit) : null;
        if (Faults.on(51) && previous != null && l == SegmentsApi.LISTING) previous = l.linkPath() + "?page=" + (page - 1);
        p.put("previousPage", previous);
        p.put("all", l.linksToAll() ? l.linkPath() + "?all=true" : "");
        return new Call.Reply(200, Json.obj("message", l.message(), "data", data, "pagination", p));
    }

    private static String link(Listing l, int page, int limit) {
        return l.linkPath() + "?page=" + page + "&limit=" + limit;
    }

    /** A path segment, percent-encoded. */
    static String segment(String s) {
        StringBuilder b = new StringBuilder();
        for (byte x : s.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (x & 0xff);
            if (c < 128 && (Character.isLetterOrDigit(c) || "-._~".indexOf(c) >= 0)) b.append(c);
            else b.append(String.format("%%%02X", (int) c));
        }
        return b.toString();
    }
}
