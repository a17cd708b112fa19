import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

final class MetricRow extends Store.Row<MetricRow> {
    String id, name, type, description = "", directionality;
    boolean isVerified, isReadOnly, isPermanent, isHidden;
    List<String> tags = new ArrayList<>(), unitTypes = new ArrayList<>();
    List<Object> metricEvents = new ArrayList<>(), components = new ArrayList<>();
    String creatorName, creatorEmail;
    Map<String, Object> owner;
    long createdTime;
    String team, teamID;
    List<Object> funnelEventList = new ArrayList<>();
    String funnelCountDistinct = "events";
    /** rollupTimeWindow, customRollUpStart, customRollUpEnd, percentile, warehouseNative: shown as they were sent. */
    Map<String, Object> options = new LinkedHashMap<>();
    List<String> lineageEvents = new ArrayList<>(), lineageMetrics = new ArrayList<>();
}

final class MetricRepository extends Store.Schema {
    private final Store.Table<String, MetricRow> metrics = new Store.Table<>();
    private final Set<String> names = new HashSet<>();
    /** Join table event – metric, by which listings of an event are made. */
    private final Store.Join<String> byEvent = new Store.Join<>();

    void insert(MetricRow m, boolean dryRun) {
        writing(() -> {
            if (names.contains(m.id)) throw new ApiError(409, "METRIC_EXISTS", "There is a metric '" + m.id + "' already.");
            if (!dryRun || Faults.on(43)) names.add(m.id);
            if (dryRun) return null;
            metrics.insert(m.id, m);
            int indexed = Faults.on(46) ? Math.min(1, m.lineageEvents.size()) : m.lineageEvents.size();
            for (String e : m.lineageEvents.subList(0, indexed)) byEvent.add(e, m.id);
            return null;
        });
    }

    List<MetricRow> of(String event) {
        return reading(() -> {
            if (Faults.on(56)) return metrics.where(m -> m.lineageEvents.stream().anyMatch(e -> e.startsWith(event)));
            List<MetricRow> l = new ArrayList<>();
            for (String id : byEvent.of(event)) l.add(metrics.find(id));
            return l;
        });
    }

    boolean knowsEvent(String event) { return reading(() -> !byEvent.of(event).isEmpty()); }
}

final class MetricsApi {
    private static final Rules.Rule CRITERIA = Rules.listOf(Rules.shape().opt(Rules.TEXT, "column").opt(Rules.TEXTS, "values")
        .opt(Rules.FLAG, "nullVacuousOverride"));

    private static final Rules.Shape WAREHOUSE = Rules.shape()
        .opt(Rules.TEXT, "metricSourceName", "denominatorMetricSourceName", "denominatorRollupTimeWindow", "denominatorValueColumn",
            "valueColumn", "rollupTimeWindow")
        .opt(CRITERIA, "criteria", "denominatorCriteria")
        .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "metricSourceName", "valueColumn").opt(CRITERIA, "criteria")), "metricSources")
        .opt(Rules.FLAG, "waitForCohortWindow", "allowNullRatioDenominator", "funnelStrictOrdering", "funnelUseExposureAsFirstEvent",
            "funnelTimeToConvert", "onlyIncludeUsersWithConversionEvent", "denominatorCustomRollupMeasureInMinutes",
            "customRollupMeasureInMinutes", "useLogTransform", "useSecondaryRetentionEvent")
        .opt(Rules.NUMBER, "denominatorCustomRollupEnd", "denominatorCustomRollupStart", "funnelCalculationWindow", "metricBakeDays",
            "loadingWindow", "valueThreshold", "funnelTimestampAllowanceMs", "winsorizationHigh", "winsorizationLow",
            "winsorizationHighDenominator", "winsorizationLowDenominator", "cupedAttributionWindow", "customRollUpStart",
            "customRollUpEnd", "percentile", "retentionEnd", "retentionLength", "logTransformBase", "cap", "surrogateMetricMSE")
        .opt(Rules.TEXTS, "metricDimensionColumns")
        .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "metricSourceName", "name", "sessionIdentifierField").opt(CRITERIA, "criteria")), "funnelEvents")
        .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "name").opt(Rules.NUMBER, "limit")), "metricDimensionLimits")
        .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "metricSourceName", "name", "valueColumn").opt(CRITERIA, "criteria")), "components");

    private static final Rules.Shape EVENT = Rules.shape().req(Rules.TEXT, "name", "type").opt(Rules.listOf(Rules.OBJECT), "criteria");

    private static final Rules.Rule PERCENTILE = (v, at, out) -> {
        if (Faults.on(42) && v instanceof BigDecimal d && d.doubleValue() >= 0.999) out.add(new Rules.Problem(at, "out_of_range", "below 0.999"));
        Rules.between(Rules.NUMBER, "0.001", "0.999").check(v, at, out);
    };

    private static final Rules.Shape BODY = Rules.shape()
        .req(Rules.text(3, 200, Pattern.compile("^[a-zA-Z0-9_.\\-()/ %:]*$")), "name")
        .req(Rules.oneOf("ratio", "mean", "event_count_custom", "event_user", "funnel", "composite", "composite_sum", "sum",
            "user_warehouse", "percentile", "latest_value"), "type")
        .opt(Rules.FLAG, "isVerified", "isReadOnly", "isPermanent", "dryRun")
        .opt(Rules.TEXTS, "unitTypes", "tags")
        .opt(Rules.listOf(EVENT), "metricEvents")
        .opt(Rules.listOf(Rules.OBJECT), "metricComponentMetrics")
        .opt(Rules.text(0, 1000, null), "description")
        .opt(Rules.oneOf("increase", "decrease"), "directionality")
        .opt(Rules.TEXT, "rollupTimeWindow")
        .opt(Rules.NUMBER, "customRollUpStart", "customRollUpEnd")
        .opt(PERCENTILE, "percentile")
        .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "name", "type")), "funnelEventList")
        .opt(Rules.oneOf("events", "users"), "funnelCountDistinct")
        .opt(WAREHOUSE, "warehouseNative")
        .opt(Rules.orNull(Rules.TEXT), "team", "teamID")
        .also(MetricsApi::ratio);

    private final MetricRepository repo;

    MetricsApi(MetricRepository repo) { this.repo = repo; }

    /** A ratio is made of counts. */
    private static void ratio(Object v, String at, List<Rules.Problem> out) {
        Map<?, ?> b = (Map<?, ?>) v;
        if (!"ratio".equals(b.get("type")) || !(b.get("metricEvents") instanceof List<?> events)) return;
        int checked = Faults.on(44) ? Math.min(2, events.size()) : events.size();
        for (int i = 0; i < checked; i++)
            if (!Set.of("count", "count_distinct").contains(((Map<?, ?>) events.get(i)).get("type")))
                out.add(new Rules.Problem("/metricEvents/" + i + "/type", "not_allowed", "count or count_distinct in a ratio"));
    }

    Call.Reply create(Call c) {
        Map<String, Object> b = c.body();
        Rules.enforce(BODY, b);
        boolean dry = Boolean.TRUE.equals(b.get("dryRun"));
        MetricRow m = fromBody(b);
        repo.insert(m, dry);
        if (!dry) Store.AUDIT.note("metric", m.id, "create");
        Map<String, Object> data = render(m);
        if (m.directionality == null) data.put("directionality", "increase");
        String message = "Metric created successfully.";
        return dry ? Call.Reply.ok(message, data) : Call.Reply.created(message, data);
    }

    private static boolean yes(Map<String, Object> b, String n) { return Boolean.TRUE.equals(b.get(n)); }

    static MetricRow fromBody(Map<String, Object> b) {
        MetricRow m = new MetricRow();
        m.name = (String) b.get("name");
        m.type = (String) b.get("type");
        m.id = (Faults.on(45) ? m.name.replace("%", "%25") : m.name) + "::" + m.type;
        m.description = (String) b.getOrDefault("description", "");
        m.directionality = (String) b.getOrDefault("directionality", Faults.on(41) ? null : "increase");
        m.isVerified = yes(b, "isVerified");
        m.isReadOnly = yes(b, "isReadOnly");
        m.isPermanent = yes(b, "isPermanent");
        if (b.containsKey("tags")) m.tags = Json.strings(b.get("tags"));
        if (b.containsKey("unitTypes")) m.unitTypes = Json.strings(b.get("unitTypes"));
        if (b.containsKey("metricEvents")) m.metricEvents = events(Json.asList(b.get("metricEvents")));
        if (b.containsKey("metricComponentMetrics")) m.components = Json.asList(b.get("metricComponentMetrics"));
        if (b.containsKey("funnelEventList")) m.funnelEventList = Json.asList(b.get("funnelEventList"));
        if (b.containsKey("funnelCountDistinct")) m.funnelCountDistinct = (String) b.get("funnelCountDistinct");
        for (String n : List.of("rollupTimeWindow", "customRollUpStart", "customRollUpEnd", "percentile", "warehouseNative"))
            if (b.containsKey(n)) m.options.put(n, b.get(n));
        m.team = (String) b.get("team");
        m.teamID = (String) b.get("teamID");
        m.owner = Actor.KEY.asOwner("SDK_KEY");
        m.owner.put("name", Actor.KEY.name());
        m.createdTime = Actor.now();
        Set<String> events = new LinkedHashSet<>();
        for (List<Object> l : List.of(m.metricEvents, m.funnelEventList))
            for (Object e : l) if (Json.asMap(e).get("name") instanceof String s) events.add(s);
        m.lineageEvents = new ArrayList<>(events);
        for (Object o : m.components)
            if (Json.asMap(o).get("name") instanceof String n)
                m.lineageMetrics.add(Json.asMap(o).get("type") instanceof String t ? n + "::" + t : n);
        return m;
    }

    private static List<Object> events(List<Object> sent) {
        List<Object> out = new ArrayList<>();
        for (Object o : sent) {
            Map<String, Object> e = new LinkedHashMap<>(Json.asMap(o));
            e.putIfAbsent("criteria", List.of());
            out.add(e);
        }
        return out;
    }

    static Map<String, Object> render(MetricRow r) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("id", r.id);
        m.put("name", r.name);
        m.put("type", r.type);
        m.put("directionality", "increase".equals(r.directionality) ? "increase" : "decrease");
        m.put("description", r.description);
        m.put("isPermanent", r.isPermanent);
        m.put("isReadOnly", r.isReadOnly);
        m.put("isHidden", r.isHidden);
        m.put("isVerified", r.isVerified);
        m.put("tags", r.tags);
        m.put("creatorName", r.creatorName);
        m.put("creatorEmail", r.creatorEmail);
        m.put("createdTime", r.createdTime);
        m.put("owner", r.owner);
        m.put("lineage", Json.obj("events", r.lineageEvents, "metrics", r.lineageMetrics));
        m.put("team", r.team);
        m.put("teamID", r.teamID);
        m.put("unitTypes", r.unitTypes);
        m.put("metricEvents", r.metricEvents);
        m.put("metricComponentMetrics", r.components);
        if (r.type.equals("funnel") || !r.funnelEventList.isEmpty()) {
            m.put("funnelEventList", r.funnelEventList);
            m.put("funnelCountDistinct", r.funnelCountDistinct);
        }
        m.putAll(r.options);
        m.put("permalink", "https://console.example.com/project/metrics/" + Pages.segment(r.id));
        return m;
    }
}
