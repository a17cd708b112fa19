import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Experiments, metrics, segments, prompts and logged events. */
final class MoreSeeds {
    private final ExperimentRepository experiments;
    private final MetricRepository metrics;
    private final SegmentRepository segments;
    private final PromptRepository prompts;
    private final EventRepository events;

    MoreSeeds(ExperimentRepository experiments, MetricRepository metrics, SegmentRepository segments, PromptRepository prompts,
              EventRepository events) {
        this.experiments = experiments;
        this.metrics = metrics;
        this.segments = segments;
        this.prompts = prompts;
        this.events = events;
    }

    void plant() {
        experiment(0, "basket_size", "Basket size", "setup", "Control", "Small", "Large");
        experiment(1, "mail subject", "Mail subject", "active", "Control", "Short");
        experiment(2, "rank/v2", "Rank v2", "setup", "Control", "Ranked");
        experiment(3, "price%test", "Price test", "setup", "Control", "Higher", "Lower");
        experiment(4, "promo+banner", "Promo banner", "setup", "Control", "Banner", "Banner big");
        experiment(5, "checkout_steps", "Checkout steps", "setup", "Control", "Two", "Three", "Four");
        String[] names = {"purchase", "purchase_refund", "page view", "signup", "cart/add", "search%click", "share+link"};
        int[] logged = {34, 12, 25, 7, 11, 3, 13};
        for (int i = 0; i < names.length; i++) for (int k = 0; k < logged[i]; k++) log(names[i], i, k);
        for (int i = 0; i < names.length; i++) {
            metric(names[i], "event_count", "count");
            metric(names[i], "event_dau", "count_distinct");
        }
        for (int k = 0; k < 4; k++) metric("purchase", "sum", "value " + k);
        String[] seg = {"beta_testers", "dutch customers", "eu/customers", "five%", "a+b", "staff", "press", "partners",
            "churned", "vip", "students", "resellers"};
        for (int i = 0; i < seg.length; i++) segment(i, seg[i]);
        for (String[] p : new String[][] {{"support_reply", "Support reply"}, {"product.summary", "Product summary"}, {"review digest", "Review digest"},
            {"tone/check", "Tone check"}}) {
            PromptRow r = new PromptRow();
            r.id = p[0];
            r.name = p[1];
            prompts.insert(r);
        }
    }

    private void experiment(int i, String id, String name, String status, String... groups) {
        ExperimentRow e = new ExperimentRow();
        e.id = id;
        e.name = name;
        e.description = "What happens with " + name + ".";
        e.idType = "userID";
        e.hypothesis = "The variant is better than the control.";
        e.status = status;
        e.layerID = "layer_" + (i % 2);
        e.targetingGateID = i % 2 == 0 ? null : "fast_checkout";
        e.creatorID = Seeds.NADIA.id();
        e.creatorName = Seeds.NADIA.name();
        e.creatorEmail = Seeds.NADIA.email();
        e.lastModifier = Seeds.PIETER;
        e.createdTime = Seeds.T0 + i;
        e.lastModifiedTime = Seeds.T0 + 5000L * i;
        e.startTime = status.equals("active") ? Seeds.T0 + 9000L : 0;
        e.owner = Seeds.NADIA;
        e.quality = Quality.initial();
        e.tags = new ArrayList<>(List.of("growth"));
        for (int k = 0; k < groups.length; k++)
            e.groups.add(new GroupRow("grp_" + i + k, groups[k], Seeds.n(groups.length == 3 ? (k == 0 ? "33.4" : "33.3") : groups.length == 2 ? "50" : "25"),
                Json.obj("variant", groups[k], "rank", k), k > 0, "Group " + groups[k], "ext-" + i + k, k == 0));
        e.controlGroupID = e.groups.get(0).id();
        e.metrics.put("primaryMetrics", new ArrayList<>(List.of(new MetricRef("purchase", "event_count", null))));
        e.metrics.put("secondaryMetrics", new ArrayList<>(List.of(new MetricRef("signup", "event_dau", Seeds.n("2.5")))));
        e.settings = settings();
        e.derived = derived(i, e);
        experiments.insert(e);
    }

    private static Map<String, Object> settings() {
        return Json.obj("secondaryIDType", "companyID", "identifierMappingMode", "strictOneToOne", "identityResolutionSource", null,
            "links", Json.list(Json.obj("url", "https://wiki.example.com/1", "title", "Brief")),
            "externalEvents", Json.list(Json.obj("name", "fair", "timestamp", Seeds.T0)),
            "userBuckets", Json.list(1, 2, 3), "primaryMetricTags", Json.list("core"), "secondaryMetricTags", Json.list(),
            "targetApps", "storefront", "duration", 14, "targetExposures", 5000, "sequentialTesting", false,
            "defaultRollupWindow", 7, "defaultChanceToBeatThreshold", Seeds.n("0.95"), "bayesianPriors", Json.list(),
            "assignmentSourceName", "assignments", "assignmentSourceExperimentName", "exp", "isAnalysisOnly", false,
            "team", "Logistics", "teamID", "team_logistics", "allocationDuration", null, "cohortedAnalysisDuration", 7,
            "cohortedMetricsMatureAfterEnd", false, "cohortWaitUntilEndToInclude", false, "fixedAnalysisDuration", 28,
            "scheduledReloadHour", 4, "scheduledReloadType", "full", "scheduledReloadDays", Json.list(1, 3, 5), "turboMode", false,
            "autoLoadToplineImpact", false, "analysisEndTime", "2024-09-01T00:00:00Z", "assignmentSourceFilters", Json.list(),
            "analyticsType", "frequentist", "defaultSPRTPowerParam", 80, "defaultSPRTMDE", 5, "sprtBaselineMode", "in_experiment_control",
            "sprtMDESettings", Json.list(), "isSidecar", false, "decisionReason", "", "preComputedUserDimensions", Json.list(),
            "cureCovariates", Json.list(), "stratifiedSampling", Json.obj("useStratifiedSalt", false, "useUnits", true,
                "deltaReduction", Seeds.n("0.2"), "spreadReduction", Seeds.n("0.1")),
            "enabledNonProdEnvironments", Json.list("staging"));
    }

    private static Map<String, Object> derived(int i, ExperimentRow e) {
        return Json.obj("holdoutIDs", Json.list(), "externalExperimentName", "ext_" + i,
            "reviewSettings", Json.obj("requiredReview", false, "allowedReviewers",
                Json.list(Json.obj("id", Seeds.PIETER.id(), "name", Seeds.PIETER.name(), "email", Seeds.PIETER.email()))),
            "inlineTargetingRulesJSON", "[]", "inlineTargetingRules", Json.list(Seeds.rule("inline " + i, "country", "BE", false)),
            "summarySections", Json.list(Json.obj("name", "Background", "content", "Asked for by sales.")),
            "healthChecks", Json.list(Json.obj("name", "Exposures", "description", "Groups are balanced.",
                "metadata", Json.obj("type", "crossover", "primary_id_type", "userID", "p_value", Seeds.n("0.42"),
                    "groups", Json.list(Json.obj("groupID", e.groups.get(0).id(), "groupName", e.groups.get(0).name(), "metrics", Json.list()))))));
    }

    private void metric(String event, String type, String aggregation) {
        String name = type.equals("sum") ? event + " " + aggregation : event;
        MetricRow m = MetricsApi.fromBody(Json.obj("name", name, "type", type, "unitTypes", Json.list("userID"),
            "metricEvents", Json.list(Json.obj("name", event, "type", type.equals("sum") ? "value" : aggregation)), "tags", Json.list("auto"),
            "directionality", "increase", "description", "From " + event));
        m.isPermanent = true;
        m.owner = new LinkedHashMap<>(Map.of("name", "System"));
        m.createdTime = Seeds.T0;
        metrics.insert(m, false);
    }

    private void segment(int i, String id) {
        SegmentRow s = new SegmentRow();
        s.id = id;
        s.type = i % 2 == 0 ? "rule_based" : "id_list";
        s.description = "Customers: " + id;
        s.isEnabled = i % 5 != 4;
        s.count = i * 11;
        s.tags = i % 3 == 0 ? List.of() : List.of("crm", "t" + i);
        s.lastModifier = i % 2 == 0 ? Seeds.NADIA : Seeds.PIETER;
        if (s.type.equals("rule_based")) {
            s.ruleName = "rule of " + id;
            s.conditions = Json.list(Json.obj("type", "country", "operator", "any", "targetValue", i % 4 == 0 ? "NL" : Json.list("NL", "BE"), "field", "country"));
        }
        segments.insert(s);
    }

    private void log(String name, int i, int k) {
        LoggedEventRow e = new LoggedEventRow();
        e.name = name;
        e.timestamp = Seeds.T0 + i * 100_000_000L + k * 61_003L;
        e.source = k % 2 == 0 ? "web" : "ios";
        e.value = k % 3 == 1 ? "" : String.valueOf(k * 5);
        e.userID = k % 4 == 0 ? String.valueOf(1000 + k) : "user-" + k;
        e.metadata = k % 5 == 0 ? Seeds.none() : Json.obj("currency", "EUR", "step", k);
        events.insert(e);
    }
}
