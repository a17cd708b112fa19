package main

import "encoding/json"

// Group of an experiment.
type Group struct {
	Name            string  `json:"name"`
	Size            float64 `json:"size"`
	ParameterValues Object  `json:"parameterValues"`
	ID              string  `json:"id"`
	Disabled        bool    `json:"disabled"`
	Description     string  `json:"description"`
	ForeignGroupID  string  `json:"foreignGroupID"`
	Highlighted     bool    `json:"highlighted"`
}

// MetricRef points at a metric.
type MetricRef struct {
	Name              string   `json:"name"`
	Type              string   `json:"type"`
	HypothesizedValue *float64 `json:"hypothesizedValue,omitempty"`
}

// Link of an experiment.
type Link struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// ExternalEvent marks a point in time.
type ExternalEvent struct {
	Name      string `json:"name"`
	Timestamp int64  `json:"timestamp"`
}

// BayesianPrior of a metric.
type BayesianPrior struct {
	Metric      MetricRef `json:"metric"`
	PriorMean   float64   `json:"priorMean"`
	PriorStdDev float64   `json:"priorStdDev"`
}

// ManualScore is a manual quality score.
type ManualScore struct {
	CriteriaDescription string  `json:"criteriaDescription"`
	Score               float64 `json:"score"`
	Weight              float64 `json:"weight"`
}

// SourceFilter restricts an assignment source.
type SourceFilter struct {
	Column string  `json:"column"`
	Values Strings `json:"values"`
}

// SPRTGroup are the SPRT settings of a group.
type SPRTGroup struct {
	GroupKey string   `json:"groupKey"`
	MDE      *float64 `json:"mde,omitempty"`
	Mean     *float64 `json:"mean,omitempty"`
	StdDev   *float64 `json:"stdDev,omitempty"`
}

// SPRTSetting are the SPRT settings of a metric.
type SPRTSetting struct {
	MetricKey     string          `json:"metricKey"`
	GroupSettings List[SPRTGroup] `json:"groupSettings"`
}

// PropertySource names a user dimension.
type PropertySource struct {
	Name           string `json:"name"`
	PropertySource string `json:"propertySource"`
}

// Covariate for CURE.
type Covariate struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Stratified sampling settings.
type Stratified struct {
	UseStratifiedSalt bool    `json:"useStratifiedSalt"`
	UseUnits          bool    `json:"useUnits"`
	DeltaReduction    float64 `json:"deltaReduction"`
	SpreadReduction   float64 `json:"spreadReduction"`
}

// ExperimentBody are the fields of a full update.
type ExperimentBody struct {
	Name                          string               `json:"name"`
	Description                   string               `json:"description"`
	IDType                        string               `json:"idType"`
	Hypothesis                    string               `json:"hypothesis"`
	Groups                        List[Group]          `json:"groups"`
	Allocation                    float64              `json:"allocation"`
	TargetingGateID               *string              `json:"targetingGateID" null:"ok"`
	BonferroniCorrection          bool                 `json:"bonferroniCorrection"`
	DefaultConfidenceInterval     string               `json:"defaultConfidenceInterval"`
	Status                        string               `json:"status"`
	SecondaryIDType               *string              `json:"secondaryIDType" null:"ok"`
	IdentifierMappingMode         *string              `json:"identifierMappingMode,omitempty"`
	IdentityResolutionSource      *string              `json:"identityResolutionSource" null:"ok"`
	Links                         List[Link]           `json:"links"`
	ExternalEvents                List[ExternalEvent]  `json:"externalEvents"`
	ControlGroupID                string               `json:"controlGroupID"`
	UserBuckets                   List[float64]        `json:"userBuckets"`
	PrimaryMetricTags             Strings              `json:"primaryMetricTags"`
	SecondaryMetricTags           Strings              `json:"secondaryMetricTags"`
	Tags                          Strings              `json:"tags"`
	PrimaryMetrics                List[MetricRef]      `json:"primaryMetrics"`
	SecondaryMetrics              List[MetricRef]      `json:"secondaryMetrics"`
	OtherMetrics                  List[MetricRef]      `json:"otherMetrics"`
	TargetApps                    string               `json:"targetApps"`
	Duration                      *int                 `json:"duration,omitempty"`
	TargetExposures               *int                 `json:"targetExposures,omitempty"`
	SequentialTesting             bool                 `json:"sequentialTesting"`
	BonferroniCorrectionPerMetric bool                 `json:"bonferroniCorrectionPerMetric"`
	BenjaminiHochbergPerVariant   bool                 `json:"benjaminiHochbergPerVariant"`
	BenjaminiHochbergPerMetric    bool                 `json:"benjaminiHochbergPerMetric"`
	BenjaminiPrimaryMetricsOnly   bool                 `json:"benjaminiPrimaryMetricsOnly"`
	DefaultRollupWindow           *int                 `json:"defaultRollupWindow,omitempty"`
	DefaultChanceToBeatThreshold  *float64             `json:"defaultChanceToBeatThreshold,omitempty"`
	BayesianPriors                List[BayesianPrior]  `json:"bayesianPriors"`
	ManualQualityScores           List[ManualScore]    `json:"manualQualityScores"`
	LaunchedGroupID               *string              `json:"launchedGroupID" null:"ok"`
	AssignmentSourceName          *string              `json:"assignmentSourceName,omitempty"`
	AssignmentSourceExpName       *string              `json:"assignmentSourceExperimentName,omitempty"`
	CreatorID                     *string              `json:"creatorID" null:"ok"`
	CreatorEmail                  *string              `json:"creatorEmail" null:"ok"`
	IsAnalysisOnly                *bool                `json:"isAnalysisOnly" null:"ok"`
	Team                          *string              `json:"team" null:"ok"`
	TeamID                        *string              `json:"teamID" null:"ok"`
	AllocationDuration            *int                 `json:"allocationDuration" null:"ok"`
	CohortedAnalysisDuration      *int                 `json:"cohortedAnalysisDuration,omitempty"`
	CohortedMetricsMatureAfterEnd bool                 `json:"cohortedMetricsMatureAfterEnd"`
	CohortWaitUntilEndToInclude   bool                 `json:"cohortWaitUntilEndToInclude"`
	FixedAnalysisDuration         *int                 `json:"fixedAnalysisDuration,omitempty"`
	ScheduledReloadHour           *int                 `json:"scheduledReloadHour" null:"ok"`
	ScheduledReloadType           *string              `json:"scheduledReloadType,omitempty"`
	ScheduledReloadDays           []int                `json:"scheduledReloadDays" null:"ok"`
	TurboMode                     bool                 `json:"turboMode"`
	AutoLoadToplineImpact         bool                 `json:"autoLoadToplineImpact"`
	AnalysisEndTime               *string              `json:"analysisEndTime,omitempty"`
	AssignmentSourceFilters       List[SourceFilter]   `json:"assignmentSourceFilters"`
	AnalyticsType                 *string              `json:"analyticsType,omitempty"`
	DefaultSPRTPowerParam         *float64             `json:"defaultSPRTPowerParam,omitempty"`
	DefaultSPRTMDE                *float64             `json:"defaultSPRTMDE,omitempty"`
	SPRTBaselineMode              *string              `json:"sprtBaselineMode,omitempty"`
	SPRTMDESettings               List[SPRTSetting]    `json:"sprtMDESettings"`
	IsSidecar                     bool                 `json:"isSidecar"`
	DecisionReason                string               `json:"decisionReason"`
	PreComputedUserDimensions     List[PropertySource] `json:"preComputedUserDimensions"`
	CureCovariates                List[Covariate]      `json:"cureCovariates"`
	StratifiedSampling            *Stratified          `json:"stratifiedSampling,omitempty"`
	EnabledNonProdEnvironments    Strings              `json:"enabledNonProdEnvironments"`
}

// Criterion of a quality score.
type Criterion struct {
	Criterion          string  `json:"criterion"`
	PassingDescription string  `json:"passingDescription"`
	Score              float64 `json:"score"`
	Weight             float64 `json:"weight"`
}

// QualityScore of an experiment.
type QualityScore struct {
	Score     float64         `json:"score"`
	Breakdown List[Criterion] `json:"breakdown"`
}

// Experiment is an experiment as answered.
type Experiment struct {
	ID string `json:"id"`
	ExperimentBody
	LastModifierID       *string               `json:"lastModifierID"`
	LastModifierName     *string               `json:"lastModifierName"`
	LastModifierEmail    *string               `json:"lastModifierEmail"`
	LastModifiedTime     int64                 `json:"lastModifiedTime"`
	CreatedTime          int64                 `json:"createdTime"`
	CreatorName          *string               `json:"creatorName"`
	LayerID              string                `json:"layerID"`
	StartTime            int64                 `json:"startTime,omitempty"`
	IsStale              bool                  `json:"isStale"`
	Permalink            string                `json:"permalink"`
	HoldoutIDs           Strings               `json:"holdoutIDs"`
	Version              int                   `json:"version"`
	Owner                *Owner                `json:"owner,omitempty"`
	ReviewSettings       ReviewSettings        `json:"reviewSettings"`
	InlineTargetingRules List[Rule]            `json:"inlineTargetingRules"`
	QualityScore         QualityScore          `json:"qualityScore"`
	SummarySections      List[json.RawMessage] `json:"summarySections"`
	HealthChecks         List[json.RawMessage] `json:"healthChecks"`
}
