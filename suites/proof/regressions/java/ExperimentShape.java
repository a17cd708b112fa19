import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What the body of a full update may hold. */
final class ExperimentShape {
    private ExperimentShape() { }

    private static final Rules.Rule TEXT_OR_NULL = Rules.orNull(Rules.TEXT);
    private static final Rules.Rule NAMED = Rules.shape().opt(Rules.TEXT, "name", "type");

    private static final Rules.Shape GROUP = Rules.shape()
        .opt(Rules.TEXT, "name", "id", "description", "foreignGroupID")
        .opt(Rules.NUMBER, "size")
        .opt(Rules.OBJECT, "parameterValues")
        .opt(Rules.FLAG, "disabled", "highlighted");

    private static final Rules.Shape METRIC = Rules.shape().opt(Rules.TEXT, "name", "type").opt(Rules.NUMBER, "hypothesizedValue");

    private static final Rules.Shape SPRT_GROUP = Rules.shape().opt(Rules.TEXT, "groupKey").opt(Rules.NUMBER, "mde", "mean", "stdDev");

    private static final Rules.Shape SAMPLING = Rules.shape()
        .opt(Rules.FLAG, "useStratifiedSalt", "useUnits")
        .opt(Rules.NUMBER, "deltaReduction", "spreadReduction");

    private static final String[] STATUSES = Faults.on(15)
        ? new String[] {"active", "setup", "decision_made", "abandoned", "archived", "experiment_stopped"}
        : new String[] {"active", "setup", "decision_made", "abandoned", "archived", "experiment_stopped", "assignment_stopped"};

    /** Members that have columns or tables of their own. */
    static final Set<String> COLUMNS = Set.of("description", "idType", "hypothesis", "groups", "allocation", "targetingGateID",
        "bonferroniCorrection", "defaultConfidenceInterval", "status", "name", "controlGroupID", "launchedGroupID", "tags",
        "primaryMetrics", "secondaryMetrics", "otherMetrics", "bonferroniCorrectionPerMetric", "benjaminiHochbergPerVariant",
        "benjaminiHochbergPerMetric", "benjaminiPrimaryMetricsOnly", "manualQualityScores", "creatorID", "creatorEmail");

    static final Rules.Shape BODY = build();

    private static Rules.Shape build() {
        Rules.Shape s = Rules.shape()
            .req(Rules.text(0, 1000, null), "description")
            .req(Rules.TEXT, "idType", "hypothesis")
            .req(Rules.listOf(GROUP), "groups")
            .req(Rules.between(Rules.NUMBER, "0", "100"), "allocation")
            .req(Rules.FLAG, "bonferroniCorrection")
            .req(Rules.oneOf("80", "90", "95", "98", "99"), "defaultConfidenceInterval")
            .req(Rules.oneOf(STATUSES), "status");
        if (Faults.on(24)) s.opt(TEXT_OR_NULL, "targetingGateID"); else s.req(TEXT_OR_NULL, "targetingGateID");
        return s
            .opt(Rules.text(3, 100, Pattern.compile("^[a-zA-Z0-9_\\- ]*$")), "name")
            .opt(TEXT_OR_NULL, "secondaryIDType", "identityResolutionSource", "launchedGroupID", "creatorID", "creatorEmail", "team", "teamID")
            .opt(Rules.oneOf("strictOneToOne", "firstTouchOneToMany", "lastTouchOneToMany"), "identifierMappingMode")
            .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "url", "title")), "links")
            .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "name").opt(Rules.INTEGER, "timestamp")), "externalEvents")
            .opt(Rules.TEXT, "controlGroupID", "targetApps", "assignmentSourceName", "assignmentSourceExperimentName",
                "analysisEndTime", "decisionReason")
            .opt(Rules.listOf(Rules.below("0", "1000")), "userBuckets")
            .opt(Rules.TEXTS, "primaryMetricTags", "secondaryMetricTags", "tags", "enabledNonProdEnvironments")
            .opt(Rules.listOf(METRIC), "primaryMetrics", "secondaryMetrics", "otherMetrics")
            .opt(Rules.MORE_THAN_ONE, "duration", "targetExposures", "cohortedAnalysisDuration", "fixedAnalysisDuration")
            .opt(Rules.orNull(Rules.MORE_THAN_ONE), "allocationDuration")
            .opt(Rules.FLAG, "sequentialTesting", "bonferroniCorrectionPerMetric", "benjaminiHochbergPerVariant",
                "benjaminiHochbergPerMetric", "benjaminiPrimaryMetricsOnly", "cohortedMetricsMatureAfterEnd",
                "cohortWaitUntilEndToInclude", "turboMode", "autoLoadToplineImpact", "isSidecar")
            .opt(ExperimentShape::rollup, "defaultRollupWindow")
            .opt(Rules.NUMBER, "defaultChanceToBeatThreshold", "defaultSPRTPowerParam", "defaultSPRTMDE")
            .opt(Rules.listOf(Rules.shape().opt(NAMED, "metric").opt(Rules.NUMBER, "priorMean", "priorStdDev")), "bayesianPriors")
            .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "criteriaDescription").opt(Rules.NUMBER, "score", "weight"),
                Faults.on(17) ? Integer.MAX_VALUE : 10), "manualQualityScores")
            .opt(Rules.orNull(Rules.FLAG), "isAnalysisOnly")
            .opt(Rules.orNull(Rules.between(Rules.INTEGER, "0", "23")), "scheduledReloadHour")
            .opt(Rules.oneOf("full", "incremental"), "scheduledReloadType")
            .opt(Rules.orNull(Rules.listOf(Rules.between(Rules.INTEGER, "0", "6"))), "scheduledReloadDays")
            .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "column").opt(Rules.TEXTS, "values")), "assignmentSourceFilters")
            .opt(Rules.oneOf("frequentist", "bayesian", "sprt"), "analyticsType")
            .opt(Rules.oneOf("manual", "in_experiment_control"), "sprtBaselineMode")
            .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "metricKey").opt(Rules.listOf(SPRT_GROUP), "groupSettings")), "sprtMDESettings")
            .opt(Rules.listOf(Rules.shape().opt(Rules.TEXT, "name", "propertySource")), "preComputedUserDimensions")
            .opt(Rules.listOf(NAMED), "cureCovariates")
            .opt(SAMPLING, "stratifiedSampling")
            .also(ExperimentShape::sprt);
    }

    private static void rollup(Object v, String at, List<Rules.Problem> out) {
        int before = out.size();
        Rules.INTEGER.check(v, at, out);
        if (out.size() > before) return;
        double d = ((Number) v).doubleValue();
        if (d != -1 && d != 1 && d != 7) out.add(new Rules.Problem(at, "not_allowed", "one of -1, 1, 7"));
    }

    /** A manual baseline needs mde, mean and stdDev of every metric; the other one an mde, unless there is a default. */
    private static void sprt(Object v, String at, List<Rules.Problem> out) {
        Map<?, ?> b = (Map<?, ?>) v;
        Object mode = b.get("sprtBaselineMode");
        if (!(b.get("sprtMDESettings") instanceof List<?> settings) || mode == null) return;
        List<String> needed = mode.equals("manual") ? (Faults.on(21) ? List.of("mde", "mean") : List.of("mde", "mean", "stdDev"))
            : b.containsKey("defaultSPRTMDE") ? List.of() : List.of("mde");
        for (int i = 0; i < settings.size(); i++) {
            if (!(((Map<?, ?>) settings.get(i)).get("groupSettings") instanceof List<?> groups)) continue;
            for (int j = 0; j < groups.size(); j++)
                for (String n : needed)
                    if (!((Map<?, ?>) groups.get(j)).containsKey(n))
                        out.add(new Rules.Problem("/sprtMDESettings/" + i + "/groupSettings/" + j + "/" + n, "required", "is required with " + mode));
        }
    }
}
