import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

final class SegmentRow extends Store.Row<SegmentRow> {
    String id, description = "", type;
    boolean isEnabled = true;
    Actor lastModifier;
    int count;
    List<String> tags = new ArrayList<>();
    String ruleName;
    List<Object> conditions = new ArrayList<>();
    int passPercentage = 100;
}

final class SegmentRepository extends Store.Schema {
    private final Store.Table<String, SegmentRow> rows = new Store.Table<>();

    void insert(SegmentRow s) { writing(() -> { rows.insert(s.id, s); return null; }); }

    /** By id, so that pages do not move. */
    List<SegmentRow> all() {
        List<SegmentRow> l = reading(rows::all);
        l.sort(Comparator.comparing((SegmentRow s) -> s.id));
        return l;
    }
}

final class SegmentsApi {
    static final Pages.Listing LISTING = new Pages.Listing("Segments listed successfully.", Gateway.PREFIX + "/segments", 10, true);

    private final SegmentRepository repo;

    SegmentsApi(SegmentRepository repo) { this.repo = repo; }

    Call.Reply list(Call c) { return Pages.reply(c, LISTING, repo.all(), SegmentsApi::render); }

    private static Map<String, Object> render(SegmentRow s) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("id", s.id);
        m.put("isEnabled", s.isEnabled);
        m.put("description", s.description);
        m.put("type", s.type);
        m.put("count", s.count);
        m.put("tags", s.tags);
        m.put("lastModifierID", s.lastModifier.id());
        m.put("lastModifierName", s.lastModifier.name());
        if (s.type.equals("rule_based") || Faults.on(52))
            m.put("rules", Json.obj("name", s.ruleName == null ? "" : s.ruleName, "passPercentage", s.passPercentage,
                "conditions", s.conditions, "returnValue", new LinkedHashMap<>()));
        return m;
    }
}

final class PromptRow extends Store.Row<PromptRow> {
    String id, name;
}

final class PromptVersionRow extends Store.Row<PromptVersionRow> {
    String promptID, id, name, description, model, provider, evalModel;
    int number;
    BigDecimal temperature, topP, frequencyPenalty, presencePenalty, maxTokens;
    List<Object> messages, headers, authHeaders;
    long createdTime;
}

final class PromptRepository extends Store.Schema {
    private final Store.Table<String, PromptRow> prompts = new Store.Table<>();
    private final Store.Table<String, PromptVersionRow> versions = new Store.Table<>();

    void insert(PromptRow p) { writing(() -> { prompts.insert(p.id, p); return null; }); }

    PromptVersionRow append(String promptId, PromptVersionRow v) {
        return writing(() -> {
            PromptRow p = prompts.find(promptId);
            if (p == null) throw ApiError.missing("prompt", promptId);
            v.promptID = promptId;
            v.number = versions.where(x -> x.promptID.equals(promptId)).size() + 1;
            if (v.name == null) v.name = p.name + " " + v.number;
            if (v.id == null) v.id = Store.newId("pv");
            versions.insert(promptId + "\u0000" + v.number, v);
            return versions.find(promptId + "\u0000" + v.number);
        });
    }
}

final class PromptsApi {
    private static final Rules.Rule PAIRS = Rules.listOf(Rules.shape().opt(Rules.TEXT, "name", "value"));

    private static final Rules.Shape BODY = Rules.shape()
        .opt(Rules.text(3, 100, GatesApi.NAME), "name")
        .opt(Rules.text(0, Integer.MAX_VALUE, Pattern.compile("^[a-zA-Z0-9_\\-.]*$")), "id")
        .opt(Rules.text(0, 1000, null), "description")
        .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "content", "role")), "prompts")
        .opt(Rules.NUMBER, "temperature", "top_p", "frequency_penalty", "presence_penalty", "max_tokens")
        .opt(Rules.TEXT, "model", "provider", "eval_model")
        .opt(PAIRS, "workflow_headers", "auth_workflow_headers");

    private final PromptRepository repo;

    PromptsApi(PromptRepository repo) { this.repo = repo; }

    Call.Reply create(Call c) {
        Map<String, Object> b = c.body();
        Rules.enforce(BODY, b);
        PromptVersionRow v = new PromptVersionRow();
        v.id = (String) b.get("id");
        v.name = (String) b.get("name");
        v.description = (String) b.get("description");
        v.model = (String) b.get("model");
        v.provider = (String) b.get("provider");
        v.evalModel = (String) b.get("eval_model");
        v.temperature = (BigDecimal) b.get("temperature");
        v.topP = (BigDecimal) b.get("top_p");
        if (Faults.on(54) && v.topP != null) v.topP = v.topP.setScale(1, RoundingMode.HALF_UP);
        v.frequencyPenalty = (BigDecimal) b.get("frequency_penalty");
        v.presencePenalty = (BigDecimal) b.get("presence_penalty");
        v.maxTokens = (BigDecimal) b.get("max_tokens");
        v.messages = Json.asList(b.get("prompts"));
        v.headers = Json.asList(b.get("workflow_headers"));
        v.authHeaders = Json.asList(b.get("auth_workflow_headers"));
        v.createdTime = Actor.now();
        PromptVersionRow stored = repo.append(c.arg(), v);
        Store.AUDIT.note("prompt", stored.promptID, "version " + stored.number);
        return Call.Reply.created("Prompt version created successfully.", render(stored));
    }

    private static Map<String, Object> render(PromptVersionRow v) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("id", v.id);
        m.put("name", v.name);
        put(m, "description", v.description);
        put(m, "prompts", v.messages);
        put(m, "temperature", v.temperature);
        put(m, "top_p", v.topP);
        put(m, "frequency_penalty", v.frequencyPenalty);
        put(m, "presence_penalty", v.presencePenalty);
        put(m, "max_tokens", v.maxTokens);
        put(m, "model", v.model);
        put(m, "provider", v.provider);
        put(m, "eval_model", v.evalModel);
        put(m, "workflow_headers", v.headers);
        put(m, "auth_workflow_headers", Faults.on(55) && v.authHeaders != null ? masked(v.authHeaders) : v.authHeaders);
        m.put("promptID", v.promptID);
        m.put("versionNumber", v.number);
        m.put("createdTime", v.createdTime);
        return m;
    }

    private static void put(Map<String, Object> m, String k, Object v) { if (v != null) m.put(k, v); }

    private static List<Object> masked(List<Object> headers) {
        List<Object> out = new ArrayList<>();
        for (Object h : headers) {
            Map<String, Object> copy = new LinkedHashMap<>(Json.asMap(h));
            copy.computeIfPresent("value", (k, v) -> "***");
            out.add(copy);
        }
        return out;
    }
}

final class LoggedEventRow extends Store.Row<LoggedEventRow> {
    long timestamp;
    String name, source, value, userID;
    Map<String, Object> metadata = new LinkedHashMap<>();
}

final class EventRepository extends Store.Schema {
    private final Store.Table<Long, LoggedEventRow> rows = new Store.Table<>();
    private final Store.Join<Long> byName = new Store.Join<>();
    private long next = 1;

    void insert(LoggedEventRow e) {
        writing(() -> {
            rows.insert(next, e);
            byName.add(e.name, next++);
            return null;
        });
    }

    boolean knows(String name) { return reading(() -> !byName.of(name).isEmpty()); }

    /** Newest first. */
    List<LoggedEventRow> of(String name) {
        List<LoggedEventRow> l = reading(() -> {
            List<LoggedEventRow> out = new ArrayList<>();
            for (Long k : byName.of(name)) out.add(rows.find(k));
            return out;
        });
        l.sort(Comparator.comparingLong((LoggedEventRow e) -> e.timestamp).reversed());
        return l;
    }
}

final class EventsApi {
    static final String METRICS = "Metrics listed successfully.";
    static final String VALUES = "Event values listed successfully.";
    private final EventRepository events;
    private final MetricRepository metrics;

    EventsApi(EventRepository events, MetricRepository metrics) {
        this.events = events;
        this.metrics = metrics;
    }

    private void mustKnow(String event) {
        if (!events.knows(event) && !metrics.knowsEvent(event)) throw ApiError.missing("event", event);
    }

    Call.Reply metrics(Call c) {
        mustKnow(c.arg());
        String path = Gateway.PREFIX + "/events/" + Pages.segment(c.arg()) + "/metrics";
        return Pages.reply(c, new Pages.Listing(METRICS, path, 25, false), metrics.of(c.arg()), MetricsApi::render);
    }

    Call.Reply values(Call c) {
        mustKnow(c.arg());
        String path = Gateway.PREFIX + "/events/" + (Faults.on(60) ? c.arg() : Pages.segment(c.arg()));
        return Pages.reply(c, new Pages.Listing(VALUES, path, 10, true), events.of(c.arg()), EventsApi::render);
    }

    private static Map<String, Object> render(LoggedEventRow e) {
        String value = Faults.on(58) && e.value.isEmpty() ? null : e.value;
        return Json.obj("timestamp", String.valueOf(e.timestamp), "name", e.name, "source", e.source, "value", value,
            "userID", e.userID, "metadata", e.metadata);
    }
}
