#!/usr/bin/env python3
"""Console Management API: an implementation written from the specification alone.
python3 server.py --port N --key K [--regression rNN] [--db FILE]"""
import argparse, hmac, json, math, random, re, socket, sqlite3, sys, threading, time, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

REG = set()

def R(name):
    return name in REG

class ApiError(Exception):
    def __init__(self, status, code, detail, fields=None, headers=None):
        self.status, self.code, self.detail = status, code, detail
        self.fields, self.headers = fields or [], headers or {}

# ---------------------------------------------------------------- validation
MISSING = object()

class T:
    def __init__(self, null=False):
        self.null = null
    def check(self, v, path, errs):
        if v is None and self.null:
            return None
        return self.run(v, path, errs)
    def fail(self, errs, path, text):
        errs.append({'path': path, 'problem': text})

class Str(T):
    def __init__(self, lo=0, hi=None, pat=None, null=False):
        super().__init__(null)
        self.lo, self.hi, self.pat = lo, hi, pat
    def length(self, v):
        return len(v)
    def run(self, v, path, errs):
        if not isinstance(v, str):
            self.fail(errs, path, 'must be a string')
        else:
            if self.length(v) < self.lo:
                self.fail(errs, path, f'must have at least {self.lo} characters')
            if self.hi is not None and self.length(v) > self.hi:
                self.fail(errs, path, f'must have at most {self.hi} characters')
            if self.pat and not re.fullmatch(self.pat, v):
                self.fail(errs, path, f'must match ^{self.pat}$')
        return v

class GateName(Str):
    def run(self, v, path, errs):
        if R('r10') and isinstance(v, str) and 3 <= len(v) <= 100 and re.match('^' + self.pat + '$', v):
            return v
        return super().run(v, path, errs)

class MetricName(Str):
    def __init__(self):
        super().__init__(3, 200, r'[a-zA-Z0-9_.\-()/ %:]*')
    def run(self, v, path, errs):
        if R('r55'):
            self.hi = 100
        return super().run(v, path, errs)

class MetricDescription(Str):
    def length(self, v):
        return len(v.encode('utf-8', 'surrogatepass')) if R('r57') else len(v)

class Bool(T):
    def run(self, v, path, errs):
        if not isinstance(v, bool):
            self.fail(errs, path, 'must be true or false')
        return v

class Num(T):
    def __init__(self, lo=None, hi=None, gt=None, lt=None, integer=False, among=None, null=False):
        super().__init__(null)
        self.lo, self.hi, self.gt, self.lt, self.integer, self.among = lo, hi, gt, lt, integer, among
    def run(self, v, path, errs):
        if isinstance(v, bool) or not isinstance(v, (int, float)):
            self.fail(errs, path, 'must be an integer' if self.integer else 'must be a number')
            return v
        if self.integer:
            if isinstance(v, float):
                if not v.is_integer():
                    self.fail(errs, path, 'must be an integer')
                    return v
                v = int(v)
        if self.lo is not None and v < self.lo:
            self.fail(errs, path, f'must be >= {self.lo}')
        if self.hi is not None and v > self.hi:
            self.fail(errs, path, f'must be <= {self.hi}')
        if self.gt is not None and not v > self.gt:
            self.fail(errs, path, f'must be > {self.gt}')
        if self.lt is not None and not v < self.lt:
            self.fail(errs, path, f'must be < {self.lt}')
        if self.among and v not in self.among:
            self.fail(errs, path, f'must be one of {self.among}')
        return v

def Int(*a, **k):
    return Num(*a, integer=True, **k)

class Bucket(Num):
    def run(self, v, path, errs):
        if R('r50'):
            self.lt, self.hi = None, 1000
        return super().run(v, path, errs)

class Enum(T):
    def __init__(self, *values, null=False):
        super().__init__(null)
        self.values = values
    def run(self, v, path, errs):
        if not isinstance(v, str) or v not in self.values:
            self.fail(errs, path, 'must be one of ' + ', '.join(self.values))
        return v

class GateType(Enum):
    def run(self, v, path, errs):
        if R('r11') and isinstance(v, str):
            v = v.upper()
        return super().run(v, path, errs)

class Arr(T):
    def __init__(self, item, lo=0, hi=None, null=False):
        super().__init__(null)
        self.item, self.lo, self.hi = item, lo, hi
    def run(self, v, path, errs):
        if not isinstance(v, list):
            self.fail(errs, path, 'must be an array')
            return v
        if len(v) < self.lo:
            self.fail(errs, path, f'must have at least {self.lo} entries')
        if self.hi is not None and len(v) > self.hi:
            self.fail(errs, path, f'must have at most {self.hi} entries')
        return [self.item.check(x, f'{path}[{i}]', errs) for i, x in enumerate(v)]

class Obj(T):
    """Known members are checked; unknown ones are kept when keep is set, else dropped."""
    def __init__(self, fields=None, need=(), keep=False, null=False):
        super().__init__(null)
        self.fields, self.need, self.keep = fields or {}, need, keep
    def run(self, v, path, errs):
        if not isinstance(v, dict):
            self.fail(errs, path or 'body', 'must be an object')
            return v
        out = {}
        for k in self.need:
            if k not in v:
                self.fail(errs, f'{path}.{k}'.lstrip('.'), 'is required')
        for k, x in v.items():
            if k in self.fields:
                out[k] = self.fields[k].check(x, f'{path}.{k}'.lstrip('.'), errs)
            elif self.keep:
                out[k] = x
        return out

class AnyOf(T):
    def __init__(self, *types, null=False):
        super().__init__(null)
        self.types = types
    def run(self, v, path, errs):
        first = None
        for t in self.types:
            mine = []
            out = t.check(v, path, mine)
            if not mine:
                return out
            first = first or mine
        errs.extend(first)
        return v

class Free(T):
    def __init__(self):
        super().__init__(True)
    def run(self, v, path, errs):
        return v

UNIT_TYPES = ['userID', 'stableID', 'companyID', 'deviceID']
TEAMS = {'team_growth': 'Growth', 'team_core': 'Core Platform'}
REVIEW_GROUPS = ['rg_release', 'rg_security']
PIPELINES = ['pipe_default', 'pipe_canary']
TEXT = Str()
TEXT0 = Str(null=True)
STRS = Arr(Str())
TAGS = Arr(Str(lo=1))
PCT = Num(lo=0, hi=100)
UNIT = Enum(*UNIT_TYPES)
DESCRIPTION = Str(hi=1000)
CONDITION = Obj({'targetValue': AnyOf(Arr(AnyOf(Str(), Num())), Str(), Num(), Bool()), 'operator': TEXT, 'field': TEXT,
                 'customID': TEXT, 'type': TEXT}, keep=True)
RULE = Obj({'name': TEXT, 'passPercentage': PCT, 'conditions': Arr(CONDITION), 'environments': Arr(Str(), null=True),
            'id': TEXT, 'baseID': TEXT}, keep=True)
NAMED = Obj({'name': Str(lo=1), 'type': Str(lo=1)}, ('name', 'type'), keep=True)
METRIC_REF = Obj({'name': Str(lo=1), 'type': Str(lo=1), 'hypothesizedValue': Num()}, ('name', 'type'))

ENV = Obj({'name': Str(lo=1, hi=100), 'isProduction': Bool(), 'requiresReview': Bool(), 'requiresReleasePipeline': Bool(),
           'id': TEXT, 'requiredReviewGroupID': TEXT})
ENVS_BODY = Obj({'environments': Arr(ENV, lo=1)}, ('environments',))

GATE_PATCH = Obj({
    'name': GateName(3, 100, r'[a-zA-Z0-9_\-. ]*'), 'isEnabled': Bool(), 'description': DESCRIPTION, 'rules': Arr(RULE),
    'tags': TAGS, 'type': GateType('PERMANENT', 'TEMPORARY'), 'idType': UNIT, 'targetApps': AnyOf(STRS, Str()),
    'creatorID': TEXT0, 'creatorEmail': TEXT0, 'team': TEXT0, 'teamID': TEXT0, 'measureMetricLifts': Bool(),
    'monitoringMetrics': Arr(Obj(keep=True)),
    'reviewSettings': Obj({'requiredReview': Bool(), 'allowedReviewers': Arr(AnyOf(Obj(keep=True), Str()))}),
    'releasePipelineID': TEXT0, 'gradual_rollout_strategy': Obj(keep=True)})

QE_FIELDS = {
    'sql': Str(lo=1), 'timestampColumn': Str(lo=1),
    'idTypeMapping': Arr(Obj({'serviceUnitID': UNIT, 'column': Str(lo=1)}, ('serviceUnitID', 'column')), lo=1),
    'name': Free(), 'description': TEXT, 'tags': TAGS, 'timestampAsDay': Bool(), 'sourceType': Enum('table', 'query'),
    'tableName': TEXT, 'datePartitionColumn': TEXT,
    'customFieldMapping': Arr(Obj({'key': Str(lo=1), 'formula': Str(lo=1)}, ('key', 'formula'))),
    'isReadOnly': Bool(), 'isVerified': Bool(), 'disableCURE': Bool(), 'owner': Obj({'ownerID': TEXT, 'ownerType': TEXT,
    'ownerName': TEXT, 'ownerEmail': TEXT, 'name': TEXT}), 'team': TEXT0, 'teamID': TEXT0, 'dryRun': Bool(), 'skip_validation': Bool(),
    'all_columns': STRS, 'column_types': STRS}
QE_NEED = ('sql', 'timestampColumn', 'idTypeMapping')
QE_BODY = Obj(QE_FIELDS, QE_NEED)

GROUP = Obj({'name': Str(lo=1), 'size': PCT, 'parameterValues': Obj(keep=True), 'id': TEXT, 'disabled': Bool(),
             'description': TEXT, 'foreignGroupID': TEXT, 'highlighted': Bool()}, ('name', 'size', 'parameterValues'))
DAYS = Int(gt=1)
EXP_FIELDS = {
    'description': DESCRIPTION, 'idType': UNIT, 'hypothesis': TEXT, 'groups': Arr(GROUP, lo=1), 'allocation': PCT,
    'targetingGateID': TEXT0, 'bonferroniCorrection': Bool(), 'defaultConfidenceInterval': Enum('80', '90', '95', '98', '99'),
    'status': Enum('active', 'setup', 'decision_made', 'abandoned', 'archived', 'experiment_stopped', 'assignment_stopped'),
    'name': Str(3, 100, r'[a-zA-Z0-9_\- ]*'), 'secondaryIDType': Enum(*UNIT_TYPES, null=True),
    'identifierMappingMode': Enum('strictOneToOne', 'firstTouchOneToMany', 'lastTouchOneToMany'),
    'identityResolutionSource': TEXT0, 'links': Arr(Obj({'url': Str(lo=1), 'title': TEXT}, ('url',))),
    'externalEvents': Arr(Obj({'name': Str(lo=1), 'timestamp': Int()}, ('name', 'timestamp'))), 'controlGroupID': TEXT,
    'userBuckets': Arr(Bucket(lo=0, lt=1000)), 'primaryMetricTags': TAGS, 'secondaryMetricTags': TAGS, 'tags': TAGS,
    'primaryMetrics': Arr(METRIC_REF), 'secondaryMetrics': Arr(METRIC_REF), 'otherMetrics': Arr(METRIC_REF),
    'targetApps': TEXT, 'duration': DAYS, 'targetExposures': Int(gt=1), 'sequentialTesting': Bool(),
    'bonferroniCorrectionPerMetric': Bool(), 'benjaminiHochbergPerVariant': Bool(), 'benjaminiHochbergPerMetric': Bool(),
    'benjaminiPrimaryMetricsOnly': Bool(), 'defaultRollupWindow': Int(among=(-1, 1, 7)), 'defaultChanceToBeatThreshold': Num(),
    'bayesianPriors': Arr(Obj({'metric': Obj({'name': TEXT, 'type': TEXT}, ('name', 'type')), 'priorMean': Num(), 'priorStdDev': Num()}, ('metric',))),
    'manualQualityScores': Arr(Obj({'criteriaDescription': Str(lo=1), 'score': Num(), 'weight': Num(lo=0)}, ('criteriaDescription',)), hi=10),
    'launchedGroupID': TEXT0, 'assignmentSourceName': TEXT, 'assignmentSourceExperimentName': TEXT, 'creatorID': TEXT0,
    'creatorEmail': TEXT0, 'isAnalysisOnly': Bool(null=True), 'team': TEXT0, 'teamID': TEXT0, 'allocationDuration': Int(gt=1, null=True),
    'cohortedAnalysisDuration': DAYS, 'cohortedMetricsMatureAfterEnd': Bool(), 'cohortWaitUntilEndToInclude': Bool(),
    'fixedAnalysisDuration': DAYS, 'scheduledReloadHour': Int(lo=0, hi=23, null=True), 'scheduledReloadType': Enum('full', 'incremental'),
    'scheduledReloadDays': Arr(Int(lo=0, hi=6), null=True), 'turboMode': Bool(), 'autoLoadToplineImpact': Bool(), 'analysisEndTime': TEXT,
    'assignmentSourceFilters': Arr(Obj({'column': Str(lo=1), 'values': STRS}, ('column', 'values'))),
    'analyticsType': Enum('frequentist', 'bayesian', 'sprt'), 'defaultSPRTPowerParam': PCT, 'defaultSPRTMDE': Num(),
    'sprtBaselineMode': Enum('manual', 'in_experiment_control'),
    'sprtMDESettings': Arr(Obj({'metricKey': TEXT, 'groupSettings': Arr(Obj({'groupKey': TEXT, 'mde': Num(), 'mean': Num(), 'stdDev': Num()}))}, ('metricKey',))),
    'isSidecar': Bool(), 'decisionReason': TEXT, 'preComputedUserDimensions': Arr(Obj({'name': TEXT, 'propertySource': TEXT}, ('name',))),
    'cureCovariates': Arr(Obj({'name': TEXT, 'type': TEXT}, ('name',))),
    'stratifiedSampling': Obj({'useStratifiedSalt': Bool(), 'useUnits': Bool(), 'deltaReduction': Num(), 'spreadReduction': Num()}, keep=True),
    'enabledNonProdEnvironments': STRS}
EXP_BODY = Obj(EXP_FIELDS, ('description', 'idType', 'hypothesis', 'groups', 'allocation', 'targetingGateID', 'bonferroniCorrection'))

CRIT = Arr(Obj({'column': TEXT, 'values': STRS, 'nullVacuousOverride': Bool()}, keep=True))
WN = {'metricSourceName': TEXT, 'criteria': CRIT,
      'metricSources': Arr(Obj({'metricSourceName': TEXT, 'criteria': CRIT, 'valueColumn': TEXT}, keep=True)),
      'denominatorCriteria': CRIT, 'funnelEvents': Arr(Obj({'criteria': CRIT, 'metricSourceName': TEXT, 'name': TEXT, 'sessionIdentifierField': TEXT}, keep=True)),
      'metricDimensionColumns': STRS, 'metricDimensionLimits': Arr(Obj({'name': TEXT, 'limit': Num()}, keep=True)),
      'components': Arr(Obj({'metricSourceName': TEXT, 'name': TEXT, 'criteria': CRIT, 'valueColumn': TEXT}, keep=True)),
      'percentile': Num(lo=0.001, hi=0.999)}
WN.update({k: TEXT for k in 'denominatorMetricSourceName denominatorRollupTimeWindow denominatorValueColumn valueColumn rollupTimeWindow'.split()})
WN.update({k: Bool() for k in ('waitForCohortWindow allowNullRatioDenominator funnelStrictOrdering funnelUseExposureAsFirstEvent '
           'funnelTimeToConvert onlyIncludeUsersWithConversionEvent denominatorCustomRollupMeasureInMinutes customRollupMeasureInMinutes '
           'useLogTransform useSecondaryRetentionEvent').split()})
WN.update({k: Num() for k in ('denominatorCustomRollupEnd denominatorCustomRollupStart funnelCalculationWindow metricBakeDays loadingWindow '
           'valueThreshold funnelTimestampAllowanceMs winsorizationHigh winsorizationLow winsorizationHighDenominator '
           'winsorizationLowDenominator cupedAttributionWindow customRollUpStart customRollUpEnd retentionEnd retentionLength '
           'logTransformBase cap surrogateMetricMSE').split()})
METRIC_BODY = Obj({
    'name': MetricName(), 'type': Enum('ratio', 'mean', 'event_count_custom', 'event_user', 'funnel', 'composite', 'composite_sum', 'sum',
                                       'user_warehouse', 'percentile', 'latest_value'),
    'isVerified': Bool(), 'isReadOnly': Bool(), 'isPermanent': Bool(), 'unitTypes': Arr(UNIT), 'metricEvents': Arr(NAMED),
    'metricComponentMetrics': Arr(NAMED), 'description': MetricDescription(hi=1000), 'directionality': Enum('increase', 'decrease'), 'tags': TAGS,
    'rollupTimeWindow': TEXT, 'customRollUpStart': Num(), 'customRollUpEnd': Num(), 'percentile': Num(lo=0.001, hi=0.999),
    'funnelEventList': Arr(NAMED), 'funnelCountDistinct': Enum('events', 'users'), 'warehouseNative': Obj(WN),
    'team': TEXT0, 'teamID': TEXT0, 'dryRun': Bool()}, ('name', 'type'))

HEADERS = Arr(Obj({'name': Str(lo=1), 'value': TEXT}, ('name', 'value')))
PROMPT_BODY = Obj({
    'name': Str(3, 100, r'[a-zA-Z0-9_\-. ]*'), 'id': Str(1, None, r'[a-zA-Z0-9_\-.]*'), 'description': DESCRIPTION,
    'prompts': Arr(Obj({'content': TEXT, 'role': Enum('system', 'user', 'assistant')}, ('content', 'role')), lo=1),
    'temperature': Num(lo=0, hi=2), 'top_p': Num(lo=0, hi=1), 'frequency_penalty': Num(lo=-2, hi=2), 'presence_penalty': Num(lo=-2, hi=2),
    'max_tokens': Num(gt=0), 'model': TEXT, 'provider': TEXT, 'eval_model': TEXT, 'workflow_headers': HEADERS, 'auth_workflow_headers': HEADERS})
ARCHIVE_BODY = Obj({'forceArchive': Bool(), 'archiveReason': TEXT})
ENABLE_BODY = Obj({'group_names': Arr(Str(), lo=1)}, ('group_names',))

def checked(schema, body, extra=None):
    errs = []
    out = schema.check(body, '', errs)
    if extra and not errs:
        extra(out, errs)
    if errs:
        raise ApiError(422, 'INVALID_BODY', f"{errs[0]['path']} {errs[0]['problem']}", errs)
    return out

def bad(errs, path, text):
    errs.append({'path': path, 'problem': text})

# ---------------------------------------------------------------- storage
class Store:
    """Every entity is a document in sqlite, by kind and key; n keeps the order of creation."""
    def __init__(self, path):
        self.db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.mutex = threading.RLock()      # one statement at a time
        self.write = threading.RLock()      # one read-modify-write at a time
        self.db.execute('CREATE TABLE IF NOT EXISTS doc (n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, key TEXT, parent TEXT, body TEXT, UNIQUE(kind, key))')
        self.db.execute('CREATE INDEX IF NOT EXISTS doc_parent ON doc(kind, parent)')
    def get(self, kind, key):
        with self.mutex:
            row = self.db.execute('SELECT body FROM doc WHERE kind=? AND key=?', (kind, key)).fetchone()
        return json.loads(row[0]) if row else None
    def put(self, kind, key, body, parent=None):
        with self.mutex:
            self.db.execute('INSERT INTO doc(kind, key, parent, body) VALUES(?,?,?,?) ON CONFLICT(kind, key) DO UPDATE SET body=excluded.body',
                            (kind, key, parent, json.dumps(body)))
    def drop(self, kind, key):
        with self.mutex:
            self.db.execute('DELETE FROM doc WHERE kind=? AND key=?', (kind, key))
    def all(self, kind, parent=None, newest=False):
        sql = 'SELECT body FROM doc WHERE kind=?' + (' AND parent=?' if parent is not None else '') + ' ORDER BY n' + (' DESC' if newest else '')
        with self.mutex:
            rows = self.db.execute(sql, (kind,) if parent is None else (kind, parent)).fetchall()
        return [json.loads(r[0]) for r in rows]
    def count(self, kind):
        with self.mutex:
            return self.db.execute('SELECT COUNT(*) FROM doc WHERE kind=?', (kind,)).fetchone()[0]

def now():
    return int(time.time() * 1000)

def ident(prefix):
    return f'{prefix}_{uuid.uuid4().hex[:12]}'

ME = {'id': 'usr_console', 'name': 'Console API', 'email': 'console-api@acme.example'}

def touch(e):
    e['lastModifierID'], e['lastModifierName'], e['lastModifierEmail'] = ME['id'], ME['name'], ME['email']
    e['lastModifiedTime'] = max(now(), e.get('lastModifiedTime') or 0)
    e['version'] = e.get('version', 0) + 1

def team_of(body, errs):
    if body.get('teamID') is not None and body['teamID'] not in TEAMS:
        bad(errs, 'teamID', 'no such team')
    if body.get('team') is not None and body['team'] not in TEAMS.values():
        bad(errs, 'team', 'no such team')

def take_team(e, body):
    if 'team' in body:
        e['team'] = body['team']
    elif 'teamID' in body:
        e['team'] = TEAMS.get(body['teamID'])
    if R('r23') and ('team' in body or 'teamID' in body):
        e['team'] = str(e['team'])

# ---------------------------------------------------------------- lists
CACHE = {}
LAST = {}

def integer_of(query, name, default):
    raw = query.get(name, [None])[-1]
    if raw is None:
        return default
    if not re.fullmatch(r'[0-9]{1,9}', raw) or int(raw) < 1:
        raise ApiError(400, 'INVALID_QUERY', f'{name} must be a positive integer', [{'path': name, 'problem': 'must be a positive integer'}])
    return int(raw)

def paged(rows, query, path, show, default=10):
    page, limit = integer_of(query, 'page', 1), min(integer_of(query, 'limit', default), 200)
    total = len(rows)
    if query.get('all', [''])[-1] == 'true':
        page, limit = 1, max(total, 1)
    start = (page - 1) * limit
    if R('r32') and path.endswith('/versions') and page > 1:
        start -= 1
    part = rows[start:start + limit]
    def link(p):
        if R('r36') and path.startswith('/console/v1/events/') and not path.endswith('/metrics'):
            return f'{path}?page={p}'
        return f'{path}?page={p}&limit={limit}'
    more = page * limit < total
    if R('r35') and path.endswith('/segments'):
        more = 0 < page * limit <= total
    pagination = {'itemsPerPage': limit, 'pageNumber': page, 'totalItems': total, 'nextPage': link(page + 1) if more else None,
                  'previousPage': link(page - 1) if page > 1 else None, 'all': f'{path}?all=true'}
    if R('r34') and path.endswith('/segments'):
        pagination['totalItems'] = len(part)
    if R('r27') and path.endswith('/versions') and page == 1:
        pagination['previousPage'] = link(1)
    return [show(x) for x in part], pagination

# ---------------------------------------------------------------- operations
ENV_SHOWN = ('id', 'name', 'isProduction', 'requiresReview', 'requiresReleasePipeline')

def show_env(e):
    out = {k: e[k] for k in ENV_SHOWN}
    if R('r01'):
        out['requiresReleasePipeline'] = e['requiresReview']
    return out

def update_environments(store, body):
    def more(b, errs):
        names, ids = set(), set()
        known = {e['id']: e for e in store.all('env')}
        for i, e in enumerate(b['environments']):
            p = f'environments[{i}]'
            if 'id' in e and e['id'] not in known:
                bad(errs, p + '.id', 'no such environment')
            if 'id' in e and e['id'] in ids:
                bad(errs, p + '.id', 'is given twice')
            ids.add(e.get('id', object()))
            name = e.get('name', known.get(e.get('id'), {}).get('name'))
            if name is None:
                bad(errs, p + '.name', 'is required for a new environment')
            if name in names:
                bad(errs, p + '.name', 'is given twice')
            names.add(name)
            if 'requiredReviewGroupID' in e and e['requiredReviewGroupID'] not in REVIEW_GROUPS:
                bad(errs, p + '.requiredReviewGroupID', 'no such review group')
    if R('r03') and isinstance(body, dict) and isinstance(body.get('environments'), list):
        checked(ENVS_BODY, {'environments': body['environments'][:2]})
        b = {'environments': [{k: v for k, v in e.items() if k in ENV.fields} for e in body['environments'] if isinstance(e, dict)]}
        errs = []
        more(b, errs)
        if errs:
            raise ApiError(422, 'INVALID_BODY', f"{errs[0]['path']} {errs[0]['problem']}", errs)
    else:
        b = checked(ENVS_BODY, body, more)
    old = store.all('env')
    by_id, by_name = {e['id']: e for e in old}, {e['name']: e for e in old}
    result = []
    for sent in b['environments']:
        e = by_id.get(sent.get('id')) or ('id' not in sent and by_name.get(sent.get('name'))) or {
            'id': ident('env'), 'isProduction': False, 'requiresReview': False, 'requiresReleasePipeline': False}
        fields = dict(sent)
        if R('r02') and 'requiresReleasePipeline' in fields and 'requiresReview' in fields and e.get('name'):
            del fields['requiresReview']
        if R('r04') and 'name' in fields:
            fields['name'] = fields['name'][:30]
        e = {**e, **fields}
        result.append(e)
    kept = {e['id'] for e in result}
    for e in old:
        if e['id'] not in kept:
            store.drop('env', e['id'])
    for e in result:
        store.put('env', e['id'], e)
    return 'Environments updated successfully.', {'environments': [show_env(e) for e in result]}

GATE_HIDDEN = ('teamID', 'releasePipelineID', 'gradual_rollout_strategy')

def show_gate(g):
    return {k: v for k, v in g.items() if k not in GATE_HIDDEN}

def the(store, kind, key, what):
    e = store.get(kind, key)
    if e is None:
        raise ApiError(404, 'NOT_FOUND', f'There is no {what} {key!r}.')
    return e

def patch_gate(store, gid, body):
    if R('r12'):
        early = the(store, 'gate', gid, 'gate')
        if isinstance(body, dict) and isinstance(body.get('description'), str):
            early['description'] = body['description'][:1000]
            store.put('gate', gid, early)
    g = the(store, 'gate', gid, 'gate')
    def more(b, errs):
        team_of(b, errs)
        if b.get('releasePipelineID') is not None and b['releasePipelineID'] not in PIPELINES:
            bad(errs, 'releasePipelineID', 'no such release pipeline')
        if 'name' in b and any(o['name'] == b['name'] and o['id'] != gid for o in store.all('gate')):
            raise ApiError(409, 'NAME_TAKEN', 'Another gate has this name.')
    b = checked(GATE_PATCH, body, more)
    if R('r13'):
        time.sleep(0.02)
    before = json.loads(json.dumps(g))
    for k in ('name', 'isEnabled', 'description', 'rules', 'tags', 'type', 'idType', 'creatorID', 'creatorEmail', 'measureMetricLifts',
              'monitoringMetrics', 'releasePipelineID', 'gradual_rollout_strategy', 'teamID'):
        if k in b:
            g[k] = b[k]
    if R('r08') and not b.get('description'):
        g['description'] = before['description']
    if 'targetApps' in b:
        v = b['targetApps']
        g['targetApps'] = v if isinstance(v, list) else ([v] if v else [])
    if 'rules' in b:
        g['rules'] = [{**r, 'id': r.get('id') or ident('rule')} for r in b['rules']]
        if R('r22'):
            for r in g['rules']:
                if 'passPercentage' in r:
                    r['passPercentage'] = int(r['passPercentage'])
    if 'reviewSettings' in b:
        g['reviewSettings'] = {'requiredReview': False, 'allowedReviewers': [], **b['reviewSettings']}
    take_team(g, b)
    if R('r06') and 'description' in b:
        g['tags'] = b.get('tags', [])
    if R('r17'):
        g['tags'] = [t for t in ','.join(g['tags']).split(',') if t]
    if R('r19') and 'creatorID' in b and 'creatorEmail' in b:
        g['creatorEmail'] = before['creatorEmail']
    if R('r21') and 'monitoringMetrics' in b:
        if gid in MM_WRITTEN:
            g['monitoringMetrics'] = before['monitoringMetrics'] + b['monitoringMetrics']
        MM_WRITTEN.add(gid)
    touch(g)
    stored = dict(g)
    if R('r05'):
        stored['measureMetricLifts'] = before['measureMetricLifts']
    store.put('gate', gid, stored)
    if R('r18') and 'description' in b:
        for other in store.all('gate'):
            other['description'] = b['description']
            store.put('gate', other['id'], other)
    return 'Gate updated successfully.', show_gate(g)

MM_WRITTEN = set()

def disable_gate(store, gid):
    g = the(store, 'gate', gid, 'gate')
    before = show_gate(json.loads(json.dumps(g)))
    g['isEnabled'] = False
    if R('r15'):
        g['reviewSettings'] = {'requiredReview': g['reviewSettings']['requiredReview'], 'allowedReviewers': []}
    touch(g)
    store.put('gate', gid, g)
    shown = before if R('r14') else show_gate(g)
    if R('r16'):
        shown = {**shown, 'createdTime': str(shown['createdTime'])}
    return ('Gate disabled successfully.' if R('r24') else 'Gate updated successfully.'), shown

def show_config(c):
    return {k: v for k, v in c.items() if k not in ('archived', 'archiveReason')}

def config_versions(store, cid, query, path):
    the(store, 'config', cid, 'dynamic config')
    rows = store.all('config_version', cid, newest=True)
    if R('r25'):
        rows = [v for v in rows for _ in range(max(1, len(v['rules'])))]
    def show(v):
        out = show_config(v)
        if R('r26') and v['version'] != rows[0]['version']:
            out['defaultValue'] = json.dumps(out['defaultValue'])
        if R('r30'):
            for r in out['rules']:
                for x in r.get('variants', []):
                    x['passPercentage'] = round(x['passPercentage'])
        return out
    data, pagination = paged(rows, query, path, show)
    return 'Dynamic config versions listed successfully.', data, pagination

def save_config(store, c):
    store.put('config', c['id'], c)
    store.put('config_version', f"{c['id']}@{c['version']}", c, c['id'])

def disable_config(store, cid):
    c = the(store, 'config', cid, 'dynamic config')
    if R('r31') and not c['isEnabled']:
        raise RuntimeError('UNIQUE constraint failed: config_state.config_id')
    c['isEnabled'] = False
    touch(c)
    save_config(store, c)
    out = show_config(c)
    if R('r28'):
        out['targetApps'] = [out['targetApps']]
    return 'Dynamic config updated successfully.', out

def archive_config(store, cid, body):
    c = the(store, 'config', cid, 'dynamic config')
    b = checked(ARCHIVE_BODY, {} if body is MISSING else body)
    if c['isEnabled'] and not b.get('forceArchive') and c.get('inUse'):
        raise ApiError(409, 'CONFIG_IN_USE', 'The config is in use; disable it first or set forceArchive.')
    c['isEnabled'] = False
    c['archived'] = True
    c['archiveReason'] = b.get('archiveReason', '')
    if R('r29') and b.get('archiveReason'):
        c['description'] = b['archiveReason']
    touch(c)
    save_config(store, c)
    return 'Dynamic config archived successfully.', show_config(c)

QE_HIDDEN = ('dryRun', 'skip_validation', 'all_columns', 'column_types', 'teamID')

def show_qe(q):
    return {k: v for k, v in q.items() if k not in QE_HIDDEN}

def list_qe(store, query, path):
    key = (path, json.dumps(sorted(query.items())))
    if R('r40') and query.get('page', ['1'])[-1] != '1' and key in CACHE:
        return CACHE[key]
    seen = {'description': ''}
    def show(q):
        out = show_qe(q)
        if R('r39'):
            seen['description'] = out['description'] or seen['description']
            out['description'] = seen['description']
        return out
    data, pagination = paged(store.all('qe'), query, path, show, 20 if R('r33') else 10)
    CACHE[key] = 'Qualifying events listed successfully.', data, pagination
    return CACHE[key]

def update_qe(store, name, body):
    q = the(store, 'qe', name, 'qualifying event')
    if R('r43') and isinstance(body, dict) and body.get('dryRun') is True:
        checked(Obj(QE_FIELDS), body)
        return 'Qualifying event updated successfully.', show_qe({**q, **{k: v for k, v in body.items() if k in QE_FIELDS and k != 'name'}})
    def more(b, errs):
        team_of(b, errs)
        units = [m['serviceUnitID'] for m in b['idTypeMapping']]
        if len(set(units)) != len(units):
            bad(errs, 'idTypeMapping', 'maps one unit id type twice')
        if b.get('skip_validation'):
            for k in ('all_columns', 'column_types'):
                if k not in b and not (R('r46') and k == 'column_types'):
                    bad(errs, k, 'is required with skip_validation')
            if not errs and not R('r46') and len(b['all_columns']) != len(b['column_types']):
                bad(errs, 'column_types', 'must align with all_columns')
        elif not re.match(r'\s*(select|with)\b', b['sql'], re.I):
            bad(errs, 'sql', 'is not a query')
        if b.get('sourceType', q['sourceType']) == 'table' and not b.get('tableName', q['tableName']):
            bad(errs, 'tableName', 'is required for a table source')
    b = checked(QE_BODY, body, more)
    if R('r47'):
        b['sql'] = re.sub(r'\{service_(start|end)_date\}', '', b['sql'])
    if R('r44'):
        b['idTypeMapping'] = b['idTypeMapping'][:2]
    if R('r45') and 'timestampAsDay' in b:
        b['timestampAsDay'] = b['timestampAsDay'] or q['timestampAsDay']
    n = dict(q)
    for k, v in b.items():
        if k not in ('name', 'team', 'dryRun', 'skip_validation'):
            n[k] = v
    take_team(n, b)
    if R('r48') and isinstance(b.get('name'), str) and b['name']:
        n['name'] = b['name']
    if not b.get('dryRun') or (R('r42') and b.get('skip_validation')):
        store.put('qe', name, n)
        for key in list(CACHE):
            if not R('r40'):
                del CACHE[key]
    return 'Qualifying event updated successfully.', show_qe(n)

EXP_DEFAULTS = {
    'secondaryIDType': None, 'links': [], 'externalEvents': [], 'userBuckets': [], 'primaryMetricTags': [], 'secondaryMetricTags': [], 'tags': [],
    'primaryMetrics': [], 'secondaryMetrics': [], 'otherMetrics': [], 'targetApps': '', 'duration': 14, 'sequentialTesting': False,
    'bonferroniCorrectionPerMetric': False, 'benjaminiHochbergPerVariant': False, 'benjaminiHochbergPerMetric': False,
    'benjaminiPrimaryMetricsOnly': False, 'defaultRollupWindow': -1, 'launchedGroupID': None, 'analyticsType': 'frequentist',
    'isSidecar': False, 'decisionReason': '', 'enabledNonProdEnvironments': [], 'scheduledReloadHour': None, 'scheduledReloadDays': None}
EXP_KEPT = ('name', 'creatorID', 'creatorEmail', 'defaultConfidenceInterval', 'status', 'controlGroupID', 'team', 'teamID')
EXP_HIDDEN = ('manualQualityScores', 'quality')

def show_exp(e):
    return {k: v for k, v in e.items() if k not in EXP_HIDDEN}

def quality(e, sent):
    crit = {c['criterion']: c for c in e.get('quality', [])}
    for s in sent:
        c = crit.setdefault(s['criteriaDescription'], {'criterion': s['criteriaDescription'], 'passingDescription': '', 'score': 0, 'weight': 0})
        c['weight'] = s.get('weight', c['weight'])
        if s['criteriaDescription'] not in DEFAULT_CRITERIA:
            c['score'] = s.get('score', c['score'])
        elif c['weight'] == 0:
            del crit[s['criteriaDescription']]
    total = sum(c['weight'] for c in crit.values()) or 1
    for c in crit.values():
        c['weight'] = c['weight'] * 100 / total
    e['quality'] = list(crit.values())
    e['qualityScore'] = {'score': sum(c['score'] * c['weight'] / 100 for c in crit.values()), 'breakdown': e['quality']}

DEFAULT_CRITERIA = ('HYPOTHESIS_LENGTH BALANCED_EXPOSURE PRIMARY_METRICS_LENGTH COMPARISON_CORRECTION GUARDRAIL_METRIC_TAGS '
                    'SUFFICIENT_SAMPLE POWER_ANALYSIS SEQUENTIAL_TESTING').split()

def update_experiment(store, eid, body):
    old = the(store, 'exp', eid, 'experiment')
    def more(b, errs):
        team_of(b, errs)
        names = [g['name'] for g in b['groups']]
        if len(set(names)) != len(names):
            bad(errs, 'groups', 'names must be unique')
        if not math.isclose(sum(g['size'] for g in b['groups']), 100, abs_tol=0.5):
            bad(errs, 'groups', 'sizes must add up to 100')
        known = {g['id'] for g in old['groups']}
        for i, g in enumerate(b['groups']):
            if g.get('id') and g['id'] not in known:
                bad(errs, f'groups[{i}].id', 'no such group')
        if b['targetingGateID'] is not None and not store.get('gate', b['targetingGateID']):
            bad(errs, 'targetingGateID', 'no such gate')
        for k in ('controlGroupID', 'launchedGroupID'):
            if b.get(k) and b[k] not in known:
                bad(errs, k, 'no such group')
        for k in ('primaryMetrics', 'secondaryMetrics', 'otherMetrics'):
            for i, m in enumerate(b.get(k, [])):
                if not store.get('metric', f"{m['name']}::{m['type']}"):
                    bad(errs, f'{k}[{i}]', 'no such metric')
        envs = {e['name'] for e in store.all('env')} | {e['id'] for e in store.all('env')}
        for i, n in enumerate(b.get('enabledNonProdEnvironments', [])):
            if n not in envs:
                bad(errs, f'enabledNonProdEnvironments[{i}]', 'no such environment')
        mode = b.get('sprtBaselineMode')
        for i, m in enumerate(b.get('sprtMDESettings', []) if mode else []):
            for j, g in enumerate(m.get('groupSettings', [])):
                for k in ('mde', 'mean', 'stdDev') if mode == 'manual' else ('mde',) if 'defaultSPRTMDE' not in b else ():
                    if k not in g:
                        bad(errs, f'sprtMDESettings[{i}].groupSettings[{j}].{k}', f'is required with sprtBaselineMode {mode}')
        if 'name' in b and any(o['name'] == b['name'] and o['id'] != eid for o in store.all('exp')):
            raise ApiError(409, 'NAME_TAKEN', 'Another experiment has this name.')
    b = checked(EXP_BODY, body, more)
    e = {k: v for k, v in old.items() if k not in EXP_FIELDS or k in EXP_KEPT}
    for k, v in EXP_DEFAULTS.items():
        e[k] = v
    for k, v in b.items():
        if k not in ('team', 'manualQualityScores'):
            e[k] = v
    take_team(e, b)
    by_name, by_id = {g['name']: g for g in old['groups']}, {g['id']: g for g in old['groups']}
    groups = []
    for g in b['groups']:
        was = by_id.get(g.get('id')) or by_name.get(g['name']) or {}
        groups.append({'disabled': was.get('disabled', False), 'description': '', 'foreignGroupID': '', 'highlighted': False, **g,
                       'id': g.get('id') or was.get('id') or ident('grp')})
    if R('r20'):
        for g in groups[2:]:
            g['description'] = ''
    e['groups'] = groups
    if b.get('manualQualityScores'):
        quality(e, b['manualQualityScores'])
    if R('r49'):
        e['allocation'] = b['allocation'] or old['allocation']
    if R('r52') and b.get('scheduledReloadDays'):
        e['scheduledReloadDays'] = [d for d in b['scheduledReloadDays'] if d]
    if R('r53'):
        e['benjaminiHochbergPerMetric'] = e['benjaminiHochbergPerVariant']
    touch(e)
    store.put('exp', eid, e)
    return 'Experiment updated successfully.', show_exp(e)

def enable_groups(store, eid, body):
    e = the(store, 'exp', eid, 'experiment')
    names = [g['name'] for g in e['groups']]
    def more(b, errs):
        for i, n in enumerate(b['group_names']):
            if n not in names:
                bad(errs, f'group_names[{i}]', 'no such group')
    b = checked(ENABLE_BODY, body, more)
    for g in e['groups']:
        if g['name'] in b['group_names']:
            g['disabled'] = False
    if R('r51'):
        e['secondaryMetrics'] = []
    touch(e)
    store.put('exp', eid, e)
    return 'Experiment updated successfully.', show_exp(e)

METRIC_HIDDEN = ('teamID', 'dryRun')

def show_metric(m):
    return {k: v for k, v in m.items() if k not in METRIC_HIDDEN}

def build_metric(b):
    events = [x['name'] for x in b.get('metricEvents', [])] + [x['name'] for x in b.get('funnelEventList', [])]
    m = {'id': f"{b['name']}::{b['type']}", 'name': b['name'], 'type': b['type'], 'directionality': 'decrease' if R('r07') else 'increase', 'description': '',
         'isPermanent': False, 'isReadOnly': False, 'isHidden': False, 'isVerified': False, 'tags': [], 'creatorName': ME['name'],
         'creatorEmail': ME['email'], 'createdTime': now(), 'owner': {'ownerID': ME['id'], 'ownerType': 'SDK_KEY', 'ownerName': ME['name'],
         'ownerEmail': ME['email'], 'name': ME['name']}, 'team': None, 'unitTypes': ['userID'], 'metricEvents': []}
    m.update({k: v for k, v in b.items() if k not in METRIC_HIDDEN and k != 'team'})
    m['metricEvents'] = [{'criteria': [], **x} for x in m['metricEvents']]
    m['lineage'] = {'events': list(dict.fromkeys(events)), 'metrics': [f"{x['name']}::{x['type']}" for x in b.get('metricComponentMetrics', [])]}
    m['permalink'] = f"https://console.acme.example/metrics/{quote(m['id'], safe='')}"
    take_team(m, b)
    return m

def create_metric(store, body):
    def more(b, errs):
        team_of(b, errs)
        if b['type'] == 'ratio':
            for i, x in enumerate(b.get('metricEvents', [])[:1] if R('r54') else b.get('metricEvents', [])):
                if x['type'] not in ('count', 'count_distinct'):
                    bad(errs, f'metricEvents[{i}].type', 'must be count or count_distinct in a ratio metric')
        for i, x in enumerate(b.get('metricComponentMetrics', [])):
            if not store.get('metric', f"{x['name']}::{x['type']}"):
                bad(errs, f'metricComponentMetrics[{i}]', 'no such metric')
        if b['type'] in ('composite', 'composite_sum') and not b.get('metricComponentMetrics'):
            bad(errs, 'metricComponentMetrics', 'is required for a composite metric')
    b = checked(METRIC_BODY, body, more)
    m = build_metric(b)
    if store.get('metric', m['id']):
        raise ApiError(409, 'METRIC_EXISTS', f"The metric {m['id']} exists.")
    if not b.get('dryRun'):
        store.put('metric', m['id'], m)
    return 'Metric created successfully.', show_metric(m)

def list_segments(store, query, path):
    rows = store.all('segment')
    if R('r38'):
        random.shuffle(rows)
    def show(s):
        if R('r37') and 'rules' in s and len(s['rules']['conditions']) == 1:
            s['rules']['conditions'] = s['rules']['conditions'][0]
        return s
    data, pagination = paged(rows, query, path, show)
    return 'Segments listed successfully.', data, pagination

PROMPT_FIELDS = ('name id description prompts temperature top_p frequency_penalty presence_penalty max_tokens model provider eval_model '
                 'workflow_headers auth_workflow_headers').split()

def create_prompt_version(store, pid, body):
    p = the(store, 'prompt', pid, 'prompt')
    b = checked(PROMPT_BODY, body)
    n = len(store.all('prompt_version', pid)) + 1
    v = {'name': f"{p['name']} {n}"[:100], 'id': ident('pv'), 'description': '', 'prompts': [], 'temperature': 1, 'top_p': 1, 'frequency_penalty': 0,
         'presence_penalty': 0, 'max_tokens': 1024, 'model': 'gpt-4o', 'provider': 'openai', 'eval_model': '', 'workflow_headers': [],
         'auth_workflow_headers': []}
    v.update(b)
    if store.get('prompt_version', f"{pid}@{v['id']}"):
        raise ApiError(409, 'VERSION_EXISTS', f"The prompt has a version {v['id']!r}.")
    if R('r58'):
        v['prompts'] = [{'content': x['content'], 'role': x['role'] if i == 0 else 'system'} for i, x in enumerate(v['prompts'])]
    if R('r59') and b.get('workflow_headers') and b.get('auth_workflow_headers'):
        v['auth_workflow_headers'] = v['workflow_headers']
    store.put('prompt_version', f"{pid}@{v['id']}", v, pid)
    return 'Prompt version created successfully.', {k: v[k] for k in PROMPT_FIELDS}

def event_metrics(store, name, query, path):
    the(store, 'event', name, 'event')
    def of(m):
        return any(e == name or (R('r56') and e.startswith(name)) for e in m['lineage']['events'])
    rows = [m for m in store.all('metric') if of(m)]
    data, pagination = paged(rows, query, path, show_metric)
    return 'Metrics listed successfully.', data, pagination

def event_values(store, name, query, path):
    if R('r41'):
        LAST['event'] = name
        time.sleep(0.01)
        name = LAST['event']
    the(store, 'event', name, 'event')
    data, pagination = paged(store.all('record', name, newest=True), query, path, lambda r: r)
    return 'Event values listed successfully.', data, pagination

# ---------------------------------------------------------------- http
SEG = r'([^/]+)'
ROUTES = [
    ('POST', '/environments', lambda s, q, p, b: update_environments(s, b)),
    ('GET', f'/dynamic_configs/{SEG}/versions', lambda s, q, p, b, i: config_versions(s, i, q, p)),
    ('PUT', f'/dynamic_configs/{SEG}/disable', lambda s, q, p, b, i: disable_config(s, i)),
    ('PUT', f'/dynamic_configs/{SEG}/archive', lambda s, q, p, b, i: archive_config(s, i, b)),
    ('GET', '/experiments/qualifying_events', lambda s, q, p, b: list_qe(s, q, p)),
    ('POST', f'/experiments/qualifying_events/{SEG}', lambda s, q, p, b, i: update_qe(s, i, b)),
    ('POST', f'/experiments/{SEG}', lambda s, q, p, b, i: update_experiment(s, i, b)),
    ('POST', f'/experiments/{SEG}/enable_groups', lambda s, q, p, b, i: enable_groups(s, i, b)),
    ('PATCH', f'/gates/{SEG}', lambda s, q, p, b, i: patch_gate(s, i, b)),
    ('PUT', f'/gates/{SEG}/disable', lambda s, q, p, b, i: disable_gate(s, i)),
    ('POST', '/metrics', lambda s, q, p, b: create_metric(s, b)),
    ('GET', '/segments', lambda s, q, p, b: list_segments(s, q, p)),
    ('POST', f'/prompts/{SEG}/versions', lambda s, q, p, b, i: create_prompt_version(s, i, b)),
    ('GET', f'/events/{SEG}/metrics', lambda s, q, p, b, i: event_metrics(s, i, q, p)),
    ('GET', f'/events/{SEG}', lambda s, q, p, b, i: event_values(s, i, q, p)),
]
ROUTES = [(m, re.compile('/console/v1' + p), f) for m, p, f in ROUTES]
MAX_BODY = 4 * 1024 * 1024

def finite(text):
    v = float(text)
    if math.isinf(v):
        raise ValueError('number out of range')
    return v

def no_constant(text):
    raise ValueError(text + ' is not JSON')

class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server_version, sys_version = 'console', ''
    wbufsize = -1
    timeout = 60
    def setup(self):
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    def log_message(self, *a):
        pass
    def body_bytes(self):
        if 'chunked' in self.headers.get('Transfer-Encoding', '').lower():
            out = b''
            while True:
                size = int(self.rfile.readline(100).split(b';')[0].strip() or b'0', 16)
                if size == 0:
                    while self.rfile.readline(8000).strip():
                        pass
                    return out
                out += self.rfile.read(size)
                self.rfile.readline(10)
                if len(out) > MAX_BODY:
                    self.close_connection = True
                    raise ApiError(413, 'TOO_LARGE', 'The body is too large.')
        raw = self.headers.get('Content-Length', '0')
        if not raw.isdigit():
            self.close_connection = True
            raise ApiError(400, 'BAD_REQUEST', 'Content-Length is not a number.')
        if int(raw) > MAX_BODY:
            self.close_connection = True
            raise ApiError(413, 'TOO_LARGE', 'The body is too large.')
        return self.rfile.read(int(raw))
    def parse(self, raw):
        if not raw:
            return MISSING
        kind = self.headers.get('Content-Type', '').split(';')[0].strip().lower()
        if kind != 'application/json':
            raise ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send application/json.')
        try:
            text = raw.decode('latin-1' if R('r09') and 'charset' not in self.headers.get('Content-Type', '').lower() else 'utf-8')
            body = json.loads(text, parse_float=finite, parse_constant=no_constant)
            json.dumps(body, ensure_ascii=False).encode()     # refuses lone surrogates
            return body
        except (ValueError, RecursionError) as e:
            raise ApiError(400, 'MALFORMED_JSON', f'The body is not JSON: {e}')
    def answer(self):
        raw = self.raw = self.body_bytes()
        url = urlsplit(self.path)
        key = self.headers.get('SERVICE-API-KEY') or ''
        ok = hmac.compare_digest(key.encode(), self.server.key.encode())
        if R('r60') and key and self.server.key.startswith(key):
            ok = True
        if not ok:
            raise ApiError(401, 'UNAUTHENTICATED', 'Send a valid key in SERVICE-API-KEY.')
        allowed = []
        for method, pattern, call in ROUTES:
            m = pattern.fullmatch(url.path)
            if not m:
                continue
            allowed.append(method)
            if method == self.command:
                query = parse_qs(url.query, keep_blank_values=True)
                body = MISSING
                if method != 'GET' and not url.path.endswith('/disable'):
                    body = self.parse(raw)
                    if body is MISSING and not url.path.endswith('/archive'):
                        raise ApiError(400, 'MALFORMED_JSON', 'A JSON body is required.')
                args = [unquote(x) for x in m.groups()]
                store = self.server.store
                if method == 'GET' or (R('r13') and method == 'PATCH'):
                    return call(store, query, url.path, body, *args)
                with store.write:
                    return call(store, query, url.path, body, *args)
        if allowed:
            raise ApiError(405, 'METHOD_NOT_ALLOWED', 'Not for this path.', headers={'Allow': ', '.join(allowed)})
        raise ApiError(404, 'NO_ROUTE', 'There is no such path.')
    def handle_any(self):
        headers, self.raw = {}, b''
        try:
            result = self.answer()
            status, out = 200, {'message': result[0], 'data': result[1]}
            if len(result) == 3:
                out['pagination'] = result[2]
        except ApiError as e:
            status, headers = e.status, e.headers
            out = {'error': {'code': e.code, 'detail': e.detail, 'fields': e.fields}}
        except (ConnectionError, socket.timeout):
            self.close_connection = True
            return
        except Exception as e:
            print('error', self.command, self.path, repr(e), file=sys.stderr, flush=True)
            status, out = 500, {'error': {'code': 'INTERNAL', 'detail': 'Something went wrong.', 'fields': []}}
        payload = json.dumps(out).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json; charset=utf-8')
        self.send_header('Content-Length', str(len(payload)))
        for k, v in headers.items():
            self.send_header(k, v)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(payload)
        self.wfile.flush()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_any

class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

from seeds import seed  # noqa: E402

def main():
    a = argparse.ArgumentParser()
    a.add_argument('--port', type=int, required=True)
    a.add_argument('--key', required=True)
    a.add_argument('--regression', action='append', default=[])
    a.add_argument('--db', default=':memory:')
    o = a.parse_args()
    REG.update(o.regression)
    server = Server(('127.0.0.1', o.port), Handler)
    server.key, server.store = o.key, Store(o.db)
    if not server.store.count('env'):
        seed(server.store, build_metric)
    print(f'listening on http://127.0.0.1:{server.server_address[1]}', flush=True)
    server.serve_forever()

if __name__ == '__main__':
    main()
