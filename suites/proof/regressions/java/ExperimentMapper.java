import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Between bodies, rows and responses of experiments. */
final class ExperimentMapper {
    private ExperimentMapper() { }

    static void merge(ExperimentRow e, Map<String, Object> b) {
        e.description = (String) b.get("description");
        e.idType = (String) b.get("idType");
        e.hypothesis = (String) b.get("hypothesis");
        e.groups = groups(e.groups, Json.asList(b.get("groups")));
        e.allocation = (BigDecimal) b.get("allocation");
        if (Faults.on(13)) e.allocation = new BigDecimal(e.allocation.intValue());
        e.targetingGateID = (String) b.get("targetingGateID");
        e.bonferroniCorrection = (Boolean) b.get("bonferroniCorrection");
        e.defaultConfidenceInterval = (String) b.get("defaultConfidenceInterval");
        if (b.containsKey("name")) e.name = (String) b.get("name");
        if (b.containsKey("controlGroupID")) e.controlGroupID = (String) b.get("controlGroupID");
        if (b.containsKey("launchedGroupID")) {
            e.launchedGroupID = (String) b.get("launchedGroupID");
            if (Faults.on(22) && e.launchedGroupID != null) e.controlGroupID = null;
        }
        if (b.containsKey("creatorID")) e.creatorID = (String) b.get("creatorID");
        if (b.containsKey("creatorEmail")) e.creatorEmail = (String) b.get("creatorEmail");
        if (b.containsKey("tags")) e.tags = Json.strings(b.get("tags"));
        for (String role : ExperimentRepository.ROLES)
            if (b.containsKey(role)) e.metrics.put(role, refs(Json.asList(b.get(role))));
        ExperimentRow.Corrections c = e.corrections;
        boolean perMetric = flag(b, "bonferroniCorrectionPerMetric", c.bonferroniPerMetric());
        boolean variant = flag(b, "benjaminiHochbergPerVariant", c.hochbergPerVariant());
        boolean metric = flag(b, "benjaminiHochbergPerMetric", c.hochbergPerMetric());
        boolean primary = flag(b, "benjaminiPrimaryMetricsOnly", c.primaryOnly());
        e.corrections = Faults.on(18) ? new ExperimentRow.Corrections(perMetric, metric, variant, primary)
            : new ExperimentRow.Corrections(perMetric, variant, metric, primary);
        Map<String, Object> settings = new LinkedHashMap<>(e.settings);
        for (String n : ExperimentShape.BODY.names()) {
            if (ExperimentShape.COLUMNS.contains(n) || !b.containsKey(n)) continue;
            if (Faults.on(19) && n.equals("scheduledReloadDays") && b.get(n) == null) continue;
            settings.put(n, b.get(n));
        }
        e.settings = settings;
        if (b.containsKey("manualQualityScores")) e.quality = Quality.merge(e.quality, Json.asList(b.get("manualQualityScores")));
        status(e, (String) b.get("status"));
    }

    private static boolean flag(Map<String, Object> b, String n, boolean otherwise) {
        return b.containsKey(n) ? (Boolean) b.get(n) : otherwise;
    }

    private static void status(ExperimentRow e, String next) {
        if (next.equals(e.status)) return;
        long now = Actor.now();
        if (next.equals("active")) e.startTime = now;
        if (next.equals("decision_made")) e.decisionTime = now;
        if (next.equals("abandoned") || next.equals("experiment_stopped")) e.endTime = now;
        e.status = next;
    }

    /** Groups that are there keep their ids, and whatever the body leaves out of them. */
    private static List<GroupRow> groups(List<GroupRow> before, List<Object> sent) {
        List<GroupRow> after = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (Object o : sent) {
            Map<String, Object> g = Json.asMap(o);
            GroupRow old = match(before, g, taken);
            String id = g.containsKey("id") ? (String) g.get("id") : old != null ? old.id() : Store.newId("grp");
            if (old != null) taken.add(old.id());
            String foreign = (String) g.getOrDefault("foreignGroupID", old == null ? null : old.foreignGroupID());
            if (Faults.on(20) && old == null) foreign = null;
            after.add(new GroupRow(id,
                (String) g.getOrDefault("name", old == null ? null : old.name()),
                (BigDecimal) g.getOrDefault("size", old == null ? null : old.size()),
                g.containsKey("parameterValues") ? Json.asMap(g.get("parameterValues")) : old == null ? Map.of() : old.parameterValues(),
                flag(g, "disabled", old != null && old.disabled()),
                (String) g.getOrDefault("description", old == null ? "" : old.description()),
                foreign,
                flag(g, "highlighted", old != null && old.highlighted())));
        }
        return after;
    }

    private static GroupRow match(List<GroupRow> before, Map<String, Object> g, Set<String> taken) {
        String by = g.containsKey("id") ? "id" : "name";
        for (GroupRow r : before) {
            String own = by.equals("id") ? r.id() : r.name();
            if (own != null && own.equals(g.get(by)) && !taken.contains(r.id())) return r;
        }
        return null;
    }

    private static List<MetricRef> refs(List<Object> sent) {
        List<MetricRef> out = new ArrayList<>();
        for (Object o : sent) {
            Map<String, Object> m = Json.asMap(o);
            out.add(new MetricRef((String) m.get("name"), (String) m.get("type"), (BigDecimal) m.get("hypothesizedValue")));
        }
        return out;
    }

    private static void unlessNull(Map<String, Object> m, String k, Object v) { if (v != null) m.put(k, v); }

    private static Object refsOut(List<MetricRef> refs) {
        List<Object> out = new ArrayList<>();
        for (MetricRef r : refs) {
            Map<String, Object> m = new LinkedHashMap<>();
            unlessNull(m, "name", r.name());
            unlessNull(m, "type", r.type());
            boolean zero = r.hypothesizedValue() != null && r.hypothesizedValue().signum() == 0;
            if (!(zero && Faults.on(23))) unlessNull(m, "hypothesizedValue", r.hypothesizedValue());
            out.add(m);
        }
        return out;
    }

    private static Object groupsOut(List<GroupRow> groups) {
        List<Object> out = new ArrayList<>();
        for (GroupRow g : groups) {
            Map<String, Object> m = new LinkedHashMap<>();
            unlessNull(m, "name", g.name());
            m.put("id", g.id());
            unlessNull(m, "size", g.size());
            m.put("parameterValues", g.parameterValues());
            m.put("disabled", g.disabled());
            m.put("description", g.description());
            unlessNull(m, "foreignGroupID", g.foreignGroupID());
            m.put("highlighted", g.highlighted());
            out.add(m);
        }
        return out;
    }

    static Map<String, Object> render(ExperimentRow e) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("id", e.id);
        m.put("name", e.name);
        m.put("description", e.description);
        m.put("idType", e.idType);
        m.put("hypothesis", e.hypothesis);
        m.put("status", e.status);
        m.put("layerID", e.layerID);
        m.put("allocation", e.allocation);
        m.put("targetingGateID", e.targetingGateID);
        m.put("bonferroniCorrection", e.bonferroniCorrection);
        m.put("defaultConfidenceInterval", e.defaultConfidenceInterval);
        m.put("groups", groupsOut(e.groups));
        unlessNull(m, "controlGroupID", e.controlGroupID);
        m.put("launchedGroupID", e.launchedGroupID);
        for (String role : ExperimentRepository.ROLES) m.put(role, refsOut(e.metrics.getOrDefault(role, List.of())));
        m.put("tags", e.tags);
        m.put("bonferroniCorrectionPerMetric", e.corrections.bonferroniPerMetric());
        m.put("benjaminiHochbergPerVariant", e.corrections.hochbergPerVariant());
        m.put("benjaminiHochbergPerMetric", e.corrections.hochbergPerMetric());
        m.put("benjaminiPrimaryMetricsOnly", e.corrections.primaryOnly());
        m.putAll(e.settings);
        m.put("creatorID", e.creatorID);
        if (e.creatorName != null) m.put("creatorName", e.creatorName);
        m.put("creatorEmail", e.creatorEmail);
        m.put("lastModifierID", e.lastModifier.id());
        m.put("lastModifierName", e.lastModifier.name());
        m.put("lastModifierEmail", e.lastModifier.email());
        m.put("createdTime", e.createdTime);
        m.put("lastModifiedTime", e.lastModifiedTime);
        if (e.startTime > 0) m.put("startTime", e.startTime);
        if (e.endTime > 0) m.put("endTime", e.endTime);
        if (e.decisionTime > 0) m.put("decisionTime", e.decisionTime);
        m.put("isStale", e.isStale);
        m.put("version", e.version);
        if (e.owner != null) m.put("owner", e.owner.asOwner("USER"));
        m.put("permalink", "https://console.example.com/project/experiments/" + Pages.segment(e.id));
        m.put("qualityScore", Quality.render(e.quality));
        m.putAll(e.derived);
        return m;
    }
}

/** The quality score: default checks and those that people add. Weights always sum to 100. */
final class Quality {
    private static final BigDecimal HUNDRED = new BigDecimal(100);

    static final Map<String, String> DEFAULTS = defaults();

    private Quality() { }

    private static Map<String, String> defaults() {
        Map<String, String> m = new LinkedHashMap<>();
        m.put("HYPOTHESIS_LENGTH", "The hypothesis says what is expected.");
        m.put("BALANCED_EXPOSURE", "Groups are exposed evenly.");
        m.put("PRIMARY_METRICS_LENGTH", "There are few primary metrics.");
        m.put("COMPARISON_CORRECTION", "Multiple comparisons are corrected for.");
        m.put("GUARDRAIL_METRIC_TAGS", "Guardrail metrics are watched.");
        m.put("SUFFICIENT_SAMPLE", "The sample is large enough.");
        m.put("POWER_ANALYSIS", "A power analysis was made.");
        m.put("SEQUENTIAL_TESTING", "Peeking is corrected for.");
        return m;
    }

    static List<QualityRow> initial() {
        List<QualityRow> l = new ArrayList<>();
        DEFAULTS.forEach((k, v) -> l.add(new QualityRow(k, v, HUNDRED, new BigDecimal("12.5"), true)));
        return l;
    }

    static List<QualityRow> merge(List<QualityRow> before, List<Object> sent) {
        Map<String, QualityRow> rows = new LinkedHashMap<>();
        for (QualityRow q : before) rows.put(q.criterion(), q);
        for (Object o : sent) {
            Map<String, Object> s = Json.asMap(o);
            String name = (String) s.getOrDefault("criteriaDescription", "");
            BigDecimal weight = (BigDecimal) s.getOrDefault("weight", BigDecimal.ZERO);
            if (DEFAULTS.containsKey(name)) {
                QualityRow q = rows.get(name);
                BigDecimal score = q == null ? HUNDRED : q.score();
                if (weight.signum() == 0) rows.remove(name);
                else rows.put(name, new QualityRow(name, DEFAULTS.get(name), score, weight, true));
            } else {
                rows.put(name, new QualityRow(name, name, (BigDecimal) s.getOrDefault("score", BigDecimal.ZERO), weight, false));
            }
        }
        return normalized(new ArrayList<>(rows.values()));
    }

    private static List<QualityRow> normalized(List<QualityRow> rows) {
        BigDecimal total = rows.stream().map(QualityRow::weight).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (total.signum() <= 0) return rows;
        List<QualityRow> out = new ArrayList<>();
        BigDecimal left = HUNDRED;
        for (int i = 0; i < rows.size(); i++) {
            QualityRow q = rows.get(i);
            BigDecimal w = q.weight().multiply(HUNDRED).divide(total, Faults.on(16) ? 0 : 6, RoundingMode.DOWN);
            if (i == rows.size() - 1 && !Faults.on(16)) w = left;
            left = left.subtract(w);
            out.add(new QualityRow(q.criterion(), q.passingDescription(), q.score(), tidy(w), q.standard()));
        }
        return out;
    }

    private static BigDecimal tidy(BigDecimal d) { return new BigDecimal(d.stripTrailingZeros().toPlainString()); }

    static Map<String, Object> render(List<QualityRow> rows) {
        List<Object> breakdown = new ArrayList<>();
        BigDecimal sum = BigDecimal.ZERO;
        for (QualityRow q : rows) {
            sum = sum.add(q.score().multiply(q.weight()));
            breakdown.add(Json.obj("criterion", q.criterion(), "passingDescription", q.passingDescription(),
                "score", q.score(), "weight", q.weight()));
        }
        return Json.obj("score", tidy(sum.divide(HUNDRED, 2, RoundingMode.HALF_UP)), "breakdown", breakdown);
    }
}
