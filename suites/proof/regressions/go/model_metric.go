package main

// EventRef names an event of a funnel.
type EventRef struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Criteria filters rows of a metric source.
type Criteria struct {
	Column              string  `json:"column"`
	Values              Strings `json:"values"`
	NullVacuousOverride bool    `json:"nullVacuousOverride"`
}

// SourceColumn is a source with its criteria and value column.
type SourceColumn struct {
	MetricSourceName       *string         `json:"metricSourceName,omitempty"`
	Name                   *string         `json:"name,omitempty"`
	Criteria               *List[Criteria] `json:"criteria,omitempty"`
	ValueColumn            *string         `json:"valueColumn,omitempty"`
	SessionIdentifierField *string         `json:"sessionIdentifierField,omitempty"`
}

// DimensionLimit limits a metric dimension.
type DimensionLimit struct {
	Name  string  `json:"name"`
	Limit float64 `json:"limit"`
}

// Warehouse is the warehouse native definition of a metric.
type Warehouse struct {
	MetricSourceName             *string               `json:"metricSourceName,omitempty"`
	Criteria                     *List[Criteria]       `json:"criteria,omitempty"`
	MetricSources                *List[SourceColumn]   `json:"metricSources,omitempty"`
	WaitForCohortWindow          *bool                 `json:"waitForCohortWindow,omitempty"`
	DenominatorCriteria          *List[Criteria]       `json:"denominatorCriteria,omitempty"`
	DenominatorCustomRollupEnd   *float64              `json:"denominatorCustomRollupEnd,omitempty"`
	DenominatorCustomRollupStart *float64              `json:"denominatorCustomRollupStart,omitempty"`
	DenominatorMetricSourceName  *string               `json:"denominatorMetricSourceName,omitempty"`
	DenominatorRollupTimeWindow  *string               `json:"denominatorRollupTimeWindow,omitempty"`
	DenominatorValueColumn       *string               `json:"denominatorValueColumn,omitempty"`
	FunnelCalculationWindow      *float64              `json:"funnelCalculationWindow,omitempty"`
	FunnelEvents                 *List[SourceColumn]   `json:"funnelEvents,omitempty"`
	MetricDimensionColumns       *Strings              `json:"metricDimensionColumns,omitempty"`
	MetricDimensionLimits        *List[DimensionLimit] `json:"metricDimensionLimits,omitempty"`
	MetricBakeDays               *float64              `json:"metricBakeDays,omitempty"`
	LoadingWindow                *float64              `json:"loadingWindow,omitempty"`
	ValueColumn                  *string               `json:"valueColumn,omitempty"`
	ValueThreshold               *float64              `json:"valueThreshold,omitempty"`
	AllowNullRatioDenominator    *bool                 `json:"allowNullRatioDenominator,omitempty"`
	FunnelStrictOrdering         *bool                 `json:"funnelStrictOrdering,omitempty"`
	FunnelUseExposure            *bool                 `json:"funnelUseExposureAsFirstEvent,omitempty"`
	FunnelTimestampAllowanceMs   *float64              `json:"funnelTimestampAllowanceMs,omitempty"`
	FunnelTimeToConvert          *bool                 `json:"funnelTimeToConvert,omitempty"`
	WinsorizationHigh            *float64              `json:"winsorizationHigh,omitempty"`
	WinsorizationLow             *float64              `json:"winsorizationLow,omitempty"`
	WinsorizationHighDenominator *float64              `json:"winsorizationHighDenominator,omitempty"`
	WinsorizationLowDenominator  *float64              `json:"winsorizationLowDenominator,omitempty"`
	CupedAttributionWindow       *float64              `json:"cupedAttributionWindow,omitempty"`
	RollupTimeWindow             *string               `json:"rollupTimeWindow,omitempty"`
	CustomRollUpStart            *float64              `json:"customRollUpStart,omitempty"`
	CustomRollUpEnd              *float64              `json:"customRollUpEnd,omitempty"`
	OnlyIncludeUsers             *bool                 `json:"onlyIncludeUsersWithConversionEvent,omitempty"`
	DenominatorInMinutes         *bool                 `json:"denominatorCustomRollupMeasureInMinutes,omitempty"`
	RollupInMinutes              *bool                 `json:"customRollupMeasureInMinutes,omitempty"`
	Percentile                   *float64              `json:"percentile,omitempty"`
	UseLogTransform              *bool                 `json:"useLogTransform,omitempty"`
	UseSecondaryRetentionEvent   *bool                 `json:"useSecondaryRetentionEvent,omitempty"`
	RetentionEnd                 *float64              `json:"retentionEnd,omitempty"`
	RetentionLength              *float64              `json:"retentionLength,omitempty"`
	LogTransformBase             *float64              `json:"logTransformBase,omitempty"`
	Cap                          *float64              `json:"cap,omitempty"`
	SurrogateMetricMSE           *float64              `json:"surrogateMetricMSE,omitempty"`
	Components                   *List[SourceColumn]   `json:"components,omitempty"`
}

// MetricBody are the fields of a metric that a client sends.
type MetricBody struct {
	Name                   string          `json:"name"`
	Type                   string          `json:"type"`
	IsVerified             bool            `json:"isVerified"`
	IsReadOnly             bool            `json:"isReadOnly"`
	IsPermanent            bool            `json:"isPermanent"`
	UnitTypes              Strings         `json:"unitTypes"`
	MetricEvents           List[Object]    `json:"metricEvents"`
	MetricComponentMetrics *List[Object]   `json:"metricComponentMetrics,omitempty"`
	Description            string          `json:"description"`
	Directionality         *string         `json:"directionality"`
	Tags                   Strings         `json:"tags"`
	RollupTimeWindow       *string         `json:"rollupTimeWindow,omitempty"`
	CustomRollUpStart      *float64        `json:"customRollUpStart,omitempty"`
	CustomRollUpEnd        *float64        `json:"customRollUpEnd,omitempty"`
	Percentile             *float64        `json:"percentile,omitempty"`
	FunnelEventList        *List[EventRef] `json:"funnelEventList,omitempty"`
	FunnelCountDistinct    *string         `json:"funnelCountDistinct,omitempty"`
	WarehouseNative        *Warehouse      `json:"warehouseNative,omitempty"`
	Team                   *string         `json:"team" null:"ok"`
	TeamID                 *string         `json:"teamID,omitempty" null:"ok"`
}

// Lineage of a metric.
type Lineage struct {
	Events  Strings `json:"events"`
	Metrics Strings `json:"metrics"`
}

// Metric is a metric as answered.
type Metric struct {
	ID string `json:"id"`
	MetricBody
	IsHidden     bool    `json:"isHidden"`
	CreatorName  *string `json:"creatorName"`
	CreatorEmail *string `json:"creatorEmail"`
	CreatedTime  int64   `json:"createdTime"`
	Owner        *Owner  `json:"owner,omitempty"`
	Lineage      Lineage `json:"lineage"`
	Permalink    string  `json:"permalink"`
}
