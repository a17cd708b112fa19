package main

import "encoding/json"

// Owner of an entity.
type Owner struct {
	OwnerID    string  `json:"ownerID"`
	OwnerType  string  `json:"ownerType"`
	OwnerName  string  `json:"ownerName"`
	OwnerEmail string  `json:"ownerEmail"`
	Name       *string `json:"name,omitempty"`
}

// Actor fields of gates.
type Actor struct {
	CreatorID         *string `json:"creatorID"`
	CreatorName       *string `json:"creatorName"`
	CreatorEmail      *string `json:"creatorEmail"`
	LastModifierID    *string `json:"lastModifierID"`
	LastModifierName  *string `json:"lastModifierName"`
	LastModifierEmail *string `json:"lastModifierEmail"`
	CreatedTime       int64   `json:"createdTime"`
	LastModifiedTime  int64   `json:"lastModifiedTime"`
}

// Environment of the project.
type Environment struct {
	ID                      string `json:"id"`
	Name                    string `json:"name"`
	IsProduction            bool   `json:"isProduction"`
	RequiresReview          bool   `json:"requiresReview"`
	RequiresReleasePipeline bool   `json:"requiresReleasePipeline"`
	RequiredReviewGroupID   string `json:"-"`
}

// EnvNames are the environments a rule applies to; none means all.
type EnvNames []string

// MarshalJSON implements json.Marshaler.
func (e EnvNames) MarshalJSON() ([]byte, error) {
	if e == nil && !bug("dis_rule_env_null") {
		return []byte("[]"), nil
	}
	return json.Marshal([]string(e))
}

// Condition of a rule.
type Condition struct {
	TargetValue any    `json:"targetValue"`
	Operator    string `json:"operator"`
	Field       string `json:"field"`
	CustomID    string `json:"customID"`
	Type        string `json:"type"`
}

// Rollout step of a rule.
type Rollout struct {
	PassPercent float64 `json:"passPercent"`
	Time        int64   `json:"time"`
}

// Variant of a dynamic config rule.
type Variant struct {
	Name             string  `json:"name"`
	PassPercentage   float64 `json:"passPercentage"`
	ID               string  `json:"id"`
	ReturnValue      Object  `json:"returnValue"`
	ReturnValueJSON5 string  `json:"returnValueJson5"`
}

// Rule of a dynamic config.
type Rule struct {
	Name                       string          `json:"name"`
	PassPercentage             float64         `json:"passPercentage"`
	Conditions                 List[Condition] `json:"conditions"`
	Environments               EnvNames        `json:"environments"`
	ID                         string          `json:"id"`
	BaseID                     string          `json:"baseID"`
	ReturnValue                Object          `json:"returnValue"`
	ReturnValueJSON5           string          `json:"returnValueJson5"`
	CompletedAutomatedRollouts List[Rollout]   `json:"completedAutomatedRollouts"`
	PendingAutomatedRollouts   List[Rollout]   `json:"pendingAutomatedRollouts"`
	Variants                   List[Variant]   `json:"variants"`
}

// ReviewSettings of a gate.
type ReviewSettings struct {
	RequiredReview   bool                  `json:"requiredReview"`
	AllowedReviewers List[json.RawMessage] `json:"allowedReviewers"`
}

// Gate is a feature gate.
type Gate struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Description   string   `json:"description"`
	IDType        string   `json:"idType"`
	IsEnabled     bool     `json:"isEnabled"`
	Status        string   `json:"status"`
	Type          string   `json:"type"`
	TypeReason    string   `json:"typeReason"`
	Rules         []Object `json:"rules"`
	Tags          Strings  `json:"tags"`
	TargetApps    Strings  `json:"targetApps"`
	HoldoutIDs    Strings  `json:"holdoutIDs"`
	ChecksPerHour int      `json:"checksPerHour"`
	Actor
	Team               *string        `json:"team"`
	TeamID             *string        `json:"teamID"`
	ReviewSettings     ReviewSettings `json:"reviewSettings"`
	MeasureMetricLifts bool           `json:"measureMetricLifts"`
	Store0100Exposures bool           `json:"store0100Exposures"`
	Owner              *Owner         `json:"owner,omitempty"`
	MonitoringMetrics  List[Object]   `json:"monitoringMetrics"`
	ReleasePipelineID  *string        `json:"releasePipelineID"`
	Version            int            `json:"version"`
	Permalink          string         `json:"permalink"`
}

// DynamicConfig is one version of a dynamic config.
type DynamicConfig struct {
	ID                string     `json:"id"`
	Name              string     `json:"name"`
	Description       string     `json:"description"`
	IDType            string     `json:"idType"`
	IsEnabled         bool       `json:"isEnabled"`
	Rules             List[Rule] `json:"rules"`
	DefaultValue      Object     `json:"defaultValue"`
	DefaultValueJSON5 string     `json:"defaultValueJson5"`
	Schema            string     `json:"schema"`
	SchemaJSON5       string     `json:"schemaJson5"`
	Tags              Strings    `json:"tags"`
	TargetApps        string     `json:"targetApps"`
	HoldoutIDs        Strings    `json:"holdoutIDs"`
	Team              string     `json:"team"`
	TeamID            string     `json:"teamID"`
	Owner             *Owner     `json:"owner,omitempty"`
	CreatorID         string     `json:"creatorID"`
	CreatorName       string     `json:"creatorName"`
	CreatorEmail      string     `json:"creatorEmail"`
	LastModifierID    string     `json:"lastModifierID"`
	LastModifierName  string     `json:"lastModifierName"`
	LastModifierEmail string     `json:"lastModifierEmail"`
	CreatedTime       int64      `json:"createdTime"`
	LastModifiedTime  int64      `json:"lastModifiedTime"`
	Version           int        `json:"version"`
	Permalink         string     `json:"permalink"`
	ReleasePipelineID string     `json:"releasePipelineID"`
	IsTemplate        bool       `json:"isTemplate"`
	ChecksPerHour     int        `json:"checksPerHour"`
}

// IDMapping maps a unit id type to a column.
type IDMapping struct {
	ServiceUnitID string `json:"serviceUnitID"`
	Column        string `json:"column"`
}

// FieldMapping is a computed column.
type FieldMapping struct {
	Key     string `json:"key"`
	Formula string `json:"formula"`
}

// QualifyingEvent is a metric source.
type QualifyingEvent struct {
	Name                string             `json:"name"`
	Description         string             `json:"description"`
	Tags                Strings            `json:"tags"`
	SQL                 string             `json:"sql"`
	TimestampColumn     string             `json:"timestampColumn"`
	TimestampAsDay      bool               `json:"timestampAsDay"`
	IDTypeMapping       List[IDMapping]    `json:"idTypeMapping"`
	SourceType          string             `json:"sourceType"`
	TableName           string             `json:"tableName"`
	DatePartitionColumn string             `json:"datePartitionColumn"`
	CustomFieldMapping  List[FieldMapping] `json:"customFieldMapping"`
	IsReadOnly          bool               `json:"isReadOnly"`
	IsVerified          bool               `json:"isVerified"`
	DisableCURE         bool               `json:"disableCURE"`
	Owner               *Owner             `json:"owner,omitempty"`
	Team                *string            `json:"team"`
	TeamID              *string            `json:"teamID"`
	columns             Strings
	columnTypes         Strings
}

// Segment of users.
type Segment struct {
	ID               string        `json:"id"`
	IsEnabled        bool          `json:"isEnabled"`
	Description      string        `json:"description"`
	LastModifierName string        `json:"lastModifierName"`
	LastModifierID   string        `json:"lastModifierID"`
	Type             string        `json:"type"`
	Count            int           `json:"count"`
	Tags             Strings       `json:"tags"`
	Rules            *SegmentRules `json:"rules,omitempty"`
}

// SegmentRules of a rule based segment.
type SegmentRules struct {
	Name           string          `json:"name"`
	PassPercentage float64         `json:"passPercentage"`
	Conditions     List[Condition] `json:"conditions"`
	ReturnValue    Object          `json:"returnValue"`
}

// Message of a prompt.
type Message struct {
	Content string `json:"content"`
	Role    string `json:"role"`
}

// Header of a prompt workflow.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// PromptVersion is one version of a prompt; only sent fields are answered.
type PromptVersion struct {
	Name                *string        `json:"name,omitempty"`
	ID                  *string        `json:"id,omitempty"`
	Description         *string        `json:"description,omitempty"`
	Prompts             *List[Message] `json:"prompts,omitempty"`
	Temperature         *float64       `json:"temperature,omitempty"`
	TopP                *float64       `json:"top_p,omitempty"`
	FrequencyPenalty    *float64       `json:"frequency_penalty,omitempty"`
	PresencePenalty     *float64       `json:"presence_penalty,omitempty"`
	MaxTokens           *float64       `json:"max_tokens,omitempty"`
	Model               *string        `json:"model,omitempty"`
	Provider            *string        `json:"provider,omitempty"`
	EvalModel           *string        `json:"eval_model,omitempty"`
	WorkflowHeaders     *List[Header]  `json:"workflow_headers,omitempty"`
	AuthWorkflowHeaders *List[Header]  `json:"auth_workflow_headers,omitempty"`
}

// EventRecord is one logged event.
type EventRecord struct {
	Timestamp string            `json:"timestamp"`
	Name      string            `json:"name"`
	Source    string            `json:"source"`
	Value     string            `json:"value"`
	UserID    string            `json:"userID"`
	Metadata  map[string]string `json:"metadata"`
}
