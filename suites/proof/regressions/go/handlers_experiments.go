package main

import (
	"console/slices"
	"encoding/json"
	"math"
	"strconv"
)

// defaultDuration (days) is answered for experiments updated without one.
const defaultDuration = 14

var (
	statuses  = []string{"active", "setup", "decision_made", "abandoned", "archived", "experiment_stopped", "assignment_stopped"}
	intervals = []string{"80", "90", "95", "98", "99"}
	defaults  = []string{"HYPOTHESIS_LENGTH", "BALANCED_EXPOSURE", "PRIMARY_METRICS_LENGTH", "COMPARISON_CORRECTION",
		"GUARDRAIL_METRIC_TAGS", "SUFFICIENT_SAMPLE", "POWER_ANALYSIS", "SEQUENTIAL_TESTING"}
)

func (b *ExperimentBody) validate(sent fields) error {
	err := require(sent, "description", "idType", "hypothesis", "groups", "allocation", "targetingGateID", "bonferroniCorrection")
	if err != nil {
		return err
	}
	if sent["name"] {
		if err := checkName(b.Name, experimentPattern, 100); err != nil {
			return err
		}
	}
	if bug("ex_alloc_zero") && b.Allocation == 0 {
		return badRequest("allocation is required")
	}
	if b.Allocation < 0 || b.Allocation > 100 {
		return badRequest("allocation must be 0 to 100")
	}
	cohorted := b.CohortedAnalysisDuration
	if bug("ex_cohort_wired") {
		cohorted = b.AllocationDuration
	}
	allowed := intervals
	if bug("ex_ci_range") {
		if n, err := strconv.Atoi(b.DefaultConfidenceInterval); err == nil && n >= 80 && n <= 99 {
			allowed = []string{b.DefaultConfidenceInterval}
		}
	}
	err = firstError(
		checkDescription(b.Description),
		checkEnum("status", &b.Status, statuses...),
		checkEnum("defaultConfidenceInterval", &b.DefaultConfidenceInterval, allowed...),
		checkEnum("identifierMappingMode", b.IdentifierMappingMode, "strictOneToOne", "firstTouchOneToMany", "lastTouchOneToMany"),
		checkEnum("scheduledReloadType", b.ScheduledReloadType, "full", "incremental"),
		checkEnum("analyticsType", b.AnalyticsType, "frequentist", "bayesian", "sprt"),
		checkEnum("sprtBaselineMode", b.SPRTBaselineMode, "manual", "in_experiment_control"),
		overOne("duration", b.Duration),
		overOne("targetExposures", b.TargetExposures),
		overOne("allocationDuration", b.AllocationDuration),
		overOne("cohortedAnalysisDuration", cohorted),
		overOne("fixedAnalysisDuration", b.FixedAnalysisDuration),
	)
	if err != nil {
		return err
	}
	for i, x := range b.UserBuckets {
		if x < 0 || x >= 1000 {
			return badRequest("userBuckets[%d] must be 0 <= x < 1000", i)
		}
		if bug("ex_buckets_first") {
			break
		}
	}
	if h := b.ScheduledReloadHour; h != nil && (*h < 0 || *h > 23) {
		return badRequest("scheduledReloadHour must be 0 to 23")
	}
	first := 0
	if bug("ex_days_week") {
		first = 1 // ISO weekdays
	}
	for i, d := range b.ScheduledReloadDays {
		if d < first || d > first+6 {
			return badRequest("scheduledReloadDays[%d] must be 0 to 6", i)
		}
	}
	if w := b.DefaultRollupWindow; w != nil && *w != -1 && *w != 1 && *w != 7 {
		return badRequest("defaultRollupWindow must be -1, 1 or 7")
	}
	if len(b.ManualQualityScores) > 10 {
		return badRequest("at most 10 manualQualityScores")
	}
	for i, m := range b.ManualQualityScores {
		if m.CriteriaDescription == "" || m.Weight < 0 {
			return badRequest("manualQualityScores[%d] needs criteriaDescription and a weight of at least 0", i)
		}
	}
	return b.validateSPRT()
}

func (b *ExperimentBody) validateSPRT() error {
	if b.SPRTBaselineMode == nil {
		return nil
	}
	manual := *b.SPRTBaselineMode == "manual"
	for i, m := range b.SPRTMDESettings {
		for j, g := range m.GroupSettings {
			switch {
			case manual && (g.MDE == nil || g.Mean == nil || g.StdDev == nil):
				return badRequest("sprtMDESettings[%d].groupSettings[%d] needs mde, mean and stdDev", i, j)
			case !manual && g.MDE == nil && b.DefaultSPRTMDE == nil:
				return badRequest("sprtMDESettings[%d].groupSettings[%d] needs mde, or defaultSPRTMDE", i, j)
			}
		}
		if bug("ex_sprt_first") {
			break
		}
	}
	return nil
}

func overOne(field string, n *int) error {
	if n != nil && *n <= 1 {
		return badRequest("%s must be greater than 1", field)
	}
	return nil
}

func updateExperiment(r *request) (*Reply, error) {
	e, err := r.store.experiment(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var in ExperimentBody
	sent, err := r.decode(&in)
	if err != nil {
		return nil, err
	}
	in.keep(&e.ExperimentBody, sent)
	if bug("ex_partial_write") && sent["hypothesis"] {
		e.Hypothesis = in.Hypothesis
	}
	if err := in.validate(sent); err != nil {
		return nil, err
	}
	in.distort()
	next := *e
	next.ExperimentBody = in
	next.QualityScore = e.QualityScore.with(in.ManualQualityScores)
	next.Version++
	next.LastModifiedTime = nowMillis()
	*e = next
	return &Reply{Message: "Experiment updated successfully.", Data: e}, nil
}

// keep carries identity fields over when the body leaves them out; every
// other field of a full update is replaced.
func (b *ExperimentBody) keep(old *ExperimentBody, sent fields) {
	for name, set := range map[string]func(){
		"name":                      func() { b.Name = old.Name },
		"status":                    func() { b.Status = old.Status },
		"defaultConfidenceInterval": func() { b.DefaultConfidenceInterval = old.DefaultConfidenceInterval },
		"creatorID":                 func() { b.CreatorID = old.CreatorID },
		"creatorEmail":              func() { b.CreatorEmail = old.CreatorEmail },
	} {
		if !sent[name] {
			set()
		}
	}
	if !sent["duration"] {
		days := defaultDuration
		b.Duration = &days
	}
}

// distort holds the regressions that change what is stored.
func (b *ExperimentBody) distort() {
	if bug("ex_other_metrics") {
		b.OtherMetrics = b.SecondaryMetrics
	}
	if bug("ex_size_round") {
		for i := range b.Groups {
			b.Groups[i].Size = math.Round(b.Groups[i].Size)
		}
	}
	if bug("ex_hour_zero") && b.ScheduledReloadHour != nil && *b.ScheduledReloadHour == 0 {
		b.ScheduledReloadHour = nil
	}
	if bug("ex_hyp_zero") {
		for i, m := range b.SecondaryMetrics {
			if m.HypothesizedValue != nil && *m.HypothesizedValue == 0 {
				b.SecondaryMetrics[i].HypothesizedValue = nil
			}
		}
	}
	if bug("ex_evt_int32") {
		for i := range b.ExternalEvents {
			b.ExternalEvents[i].Timestamp = int64(int32(b.ExternalEvents[i].Timestamp))
		}
	}
	if bug("ex_param_float") {
		for i := range b.Groups {
			var values map[string]any
			raw, _ := json.Marshal(b.Groups[i].ParameterValues)
			_ = json.Unmarshal(raw, &values)
			for k, v := range values {
				b.Groups[i].ParameterValues[k], _ = json.Marshal(v)
			}
		}
	}
}

// with merges manual scores into q and renormalizes the weights to 100.
func (q QualityScore) with(manual []ManualScore) QualityScore {
	out := slices.Clone(q.Breakdown)
	for _, m := range manual {
		i := slices.IndexFunc(out, func(c Criterion) bool { return c.Criterion == m.CriteriaDescription })
		switch {
		case i < 0:
			out = append(out, Criterion{m.CriteriaDescription, m.CriteriaDescription, m.Score, m.Weight})
		case slices.Contains(defaults, m.CriteriaDescription) && m.Weight == 0:
			out = slices.Delete(out, i, i+1)
		case slices.Contains(defaults, m.CriteriaDescription):
			out[i].Weight = m.Weight
			if bug("ex_quality_default_score") {
				out[i].Score = m.Score
			}
		default:
			out[i].Score, out[i].Weight = m.Score, m.Weight
		}
	}
	var sum float64
	for _, c := range out {
		sum += c.Weight
	}
	score := 0.0
	for i := range out {
		if sum > 0 {
			out[i].Weight = out[i].Weight * 100 / sum
		}
		if bug("ex_quality_trunc") {
			out[i].Weight = math.Trunc(out[i].Weight)
		}
		score += out[i].Score * out[i].Weight / 100
	}
	return QualityScore{Score: score, Breakdown: out}
}

type enableGroupsBody struct {
	GroupNames Strings `json:"group_names"`
}

func enableGroups(r *request) (*Reply, error) {
	e, err := r.store.experiment(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var in enableGroupsBody
	if bug("eg_scalar_ok") {
		var one struct {
			GroupNames string `json:"group_names"`
		}
		if json.Unmarshal(r.body, &one) == nil && one.GroupNames != "" {
			r.body, _ = json.Marshal(enableGroupsBody{Strings{one.GroupNames}})
		}
	}
	sent, err := r.decode(&in)
	if err != nil {
		return nil, err
	}
	if !bug("eg_missing_ok") {
		if err := require(sent, "group_names"); err != nil {
			return nil, err
		}
	}
	groups := slices.Clone(e.Groups)
	if bug("eg_shared_groups") {
		groups = e.Groups
	}
	for _, name := range in.GroupNames {
		i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name })
		if i < 0 {
			return nil, badRequest("experiment has no group %q", name)
		}
		groups[i].Disabled = false
	}
	next := *e
	next.Groups = groups
	next.Version++
	next.LastModifiedTime = nowMillis()
	if bug("eg_stale_cache") {
		// Read-through cache of descriptive fields, filled on first use.
		if c, ok := r.store.expCache[e.ID]; ok {
			*e = next
			c.Groups, c.Version, c.LastModifiedTime = next.Groups, next.Version, next.LastModifiedTime
			return &Reply{Message: "Experiment updated successfully.", Data: c}, nil
		}
		r.store.expCache[e.ID] = next
	}
	*e = next
	if bug("eg_trim") {
		return &Reply{Message: "Experiment updated successfully.", Data: map[string]any{
			"id": e.ID, "name": e.Name, "status": e.Status, "groups": e.Groups, "version": e.Version}}, nil
	}
	return &Reply{Message: "Experiment updated successfully.", Data: e}, nil
}
