"""What a fresh server holds: a small shop's console."""
T0 = 1726000000000
HOUR = 3600_000


def person(n):
    return [('usr_ada', 'Ada Marsh', 'ada@acme.example'), ('usr_bo', 'Bo Lind', 'bo@acme.example'), ('usr_cy', 'Cy Ortega', 'cy@acme.example')][n % 3]


def who(n):
    i, name, mail = person(n)
    return {'ownerID': i, 'ownerType': 'USER', 'ownerName': name, 'ownerEmail': mail}


def condition(field, operator, values, custom=''):
    return {'targetValue': values, 'operator': operator, 'field': field, 'customID': custom, 'type': field}


def gate(n, gid, **more):
    i, name, mail = person(n)
    j, name2, mail2 = person(n + 1)
    g = {'id': gid, 'name': gid, 'description': f'Gate {gid} of the shop.', 'idType': 'userID', 'isEnabled': True, 'status': 'In Progress',
         'type': 'TEMPORARY', 'typeReason': 'NONE',
         'rules': [{'name': 'staff', 'passPercentage': 100, 'conditions': [condition('email', 'str_contains_any', ['@acme.example'])],
                    'environments': ['development', 'staging'], 'id': f'rule_{gid}_1', 'baseID': f'rule_{gid}_1', 'returnValue': {}},
                   {'name': 'tenth', 'passPercentage': 12.5, 'conditions': [condition('country', 'any', ['NO', 'SE']), condition('app_version', 'version_gte', ['2.4.0'])],
                    'environments': ['production'], 'id': f'rule_{gid}_2', 'baseID': f'rule_{gid}_2', 'returnValue': {}}],
         'tags': ['shop', 'web'], 'targetApps': ['web'], 'holdoutIDs': [], 'checksPerHour': 40 + n, 'createdTime': T0 + n * HOUR,
         'lastModifiedTime': T0 + (n + 5) * HOUR, 'creatorID': i, 'creatorName': name, 'creatorEmail': mail, 'lastModifierID': j,
         'lastModifierName': name2, 'lastModifierEmail': mail2, 'team': 'Growth' if n % 2 else None,
         'reviewSettings': {'requiredReview': False, 'allowedReviewers': [{'id': person(n)[0], 'name': person(n)[1], 'email': person(n)[2]}]},
         'measureMetricLifts': False, 'store0100Exposures': False, 'owner': who(n), 'monitoringMetrics': [{'name': 'checkout_count', 'type': 'event_count_custom'}],
         'version': 3 + n, 'permalink': f'https://console.acme.example/gates/{gid}'}
    g.update(more)
    return g


def config(n, cid, version, **more):
    i, name, mail = person(n)
    c = {'id': cid, 'name': cid, 'description': f'Config {cid}.', 'idType': 'userID', 'isEnabled': True,
         'rules': [{'name': 'beta users', 'passPercentage': 50, 'conditions': [condition('custom_field', 'any', ['beta'], 'plan')], 'environments': ['production', 'staging'],
                    'id': f'rule_{cid}_1', 'baseID': f'rule_{cid}_1', 'returnValue': {'size': 12}, 'returnValueJson5': '{"size": 12}',
                    'completedAutomatedRollouts': [{'passPercent': 25, 'time': T0 + HOUR}], 'pendingAutomatedRollouts': [],
                    'variants': [{'name': 'a', 'passPercentage': 33.3, 'id': f'var_{cid}_a', 'returnValue': {'size': 8}, 'returnValueJson5': '{"size": 8}'},
                                 {'name': 'b', 'passPercentage': 66.7, 'id': f'var_{cid}_b', 'returnValue': {'size': 16}, 'returnValueJson5': '{"size": 16}'}]},
                   {'name': 'everyone', 'passPercentage': 100, 'conditions': [condition('public', 'any', [])], 'environments': ['production'],
                    'id': f'rule_{cid}_2', 'baseID': f'rule_{cid}_2', 'returnValue': {'size': 10}, 'returnValueJson5': '{"size": 10}',
                    'completedAutomatedRollouts': [], 'pendingAutomatedRollouts': [{'passPercent': 100, 'time': T0 + 900 * HOUR}], 'variants': []}],
         'defaultValue': {'size': 10, 'step': version}, 'defaultValueJson5': '{"size": 10, "step": %d}' % version,
         'schema': '{"type": "object"}', 'schemaJson5': '{"type": "object"}', 'tags': ['shop'], 'targetApps': 'web', 'holdoutIDs': [], 'team': 'Growth',
         'teamID': 'team_growth', 'owner': who(n), 'creatorID': i, 'creatorName': name, 'creatorEmail': mail, 'lastModifierID': i, 'lastModifierName': name,
         'lastModifierEmail': mail, 'createdTime': T0, 'lastModifiedTime': T0 + version * HOUR, 'version': version,
         'permalink': f'https://console.acme.example/dynamic_configs/{cid}', 'releasePipelineID': 'pipe_default', 'isTemplate': False, 'checksPerHour': 7 + n}
    c.update(more)
    return c


def experiment(n, eid, groups, **more):
    i, name, mail = person(n)
    size = round(100 / len(groups), 2)
    e = {'id': eid, 'name': eid, 'description': f'Experiment {eid}.', 'lastModifierName': name, 'lastModifierID': i, 'lastModifierEmail': mail,
         'lastModifiedTime': T0 + 90 * HOUR, 'createdTime': T0, 'creatorID': i, 'creatorName': name, 'creatorEmail': mail, 'idType': 'userID', 'status': 'setup',
         'layerID': f'layer_{eid}', 'hypothesis': 'Fewer steps sell more.', 'primaryMetrics': [{'name': 'purchase_count', 'type': 'event_count_custom'}],
         'primaryMetricTags': ['core'], 'secondaryMetrics': [{'name': 'checkout_count', 'type': 'event_count_custom'}], 'secondaryMetricTags': [],
         'otherMetrics': [], 'groups': [{'name': g, 'size': size, 'parameterValues': {'steps': k + 1}, 'id': f'grp_{eid}_{k}', 'disabled': False,
                                         'description': '', 'foreignGroupID': '', 'highlighted': False} for k, g in enumerate(groups)],
         'controlGroupID': f'grp_{eid}_0', 'allocation': 80, 'duration': 14, 'targetingGateID': None, 'defaultConfidenceInterval': '95',
         'bonferroniCorrection': False, 'tags': ['shop'], 'startTime': T0 + 10 * HOUR, 'endTime': T0 + 400 * HOUR, 'isStale': False, 'holdoutIDs': [],
         'version': 4, 'permalink': f'https://console.acme.example/experiments/{eid}', 'owner': who(n), 'secondaryIDType': None, 'links': [],
         'reviewSettings': {'requiredReview': False, 'allowedReviewers': []}, 'inlineTargetingRules': [], 'inlineTargetingRulesJSON': '[]',
         'quality': [{'criterion': c, 'passingDescription': c.replace('_', ' ').lower(), 'score': 80, 'weight': 12.5} for c in
                     ('HYPOTHESIS_LENGTH', 'BALANCED_EXPOSURE', 'PRIMARY_METRICS_LENGTH', 'COMPARISON_CORRECTION', 'GUARDRAIL_METRIC_TAGS',
                      'SUFFICIENT_SAMPLE', 'POWER_ANALYSIS', 'SEQUENTIAL_TESTING')]}
    e['qualityScore'] = {'score': 80, 'breakdown': e['quality']}
    e.update(more)
    return e


def qualifying(n, name, **more):
    q = {'name': name, 'description': f'Rows of {name}.' if n % 4 else '', 'tags': ['warehouse'] if n % 2 else ['warehouse', 'finance'],
         'sql': f"SELECT user_id, company, ts, amount FROM shop.{name} WHERE ts BETWEEN '{{service_start_date}}' AND '{{service_end_date}}'",
         'timestampColumn': 'ts', 'timestampAsDay': bool(n % 3 == 0),
         'idTypeMapping': [{'serviceUnitID': 'userID', 'column': 'user_id'}, {'serviceUnitID': 'companyID', 'column': 'company'},
                           {'serviceUnitID': 'deviceID', 'column': 'device'}][:1 + n % 3],
         'sourceType': 'query', 'tableName': f'shop.{name}', 'datePartitionColumn': 'ds',
         'customFieldMapping': [{'key': 'eur', 'formula': 'amount / 100'}] if n % 2 else [], 'isReadOnly': False, 'isVerified': False, 'disableCURE': False,
         'owner': who(n), 'team': None}
    q.update(more)
    return q


def seed(store, build_metric):
    for i, (name, prod) in enumerate([('production', True), ('staging', False), ('development', False)]):
        e = {'id': f'env_{i + 1}', 'name': name, 'isProduction': prod, 'requiresReview': prod, 'requiresReleasePipeline': False}
        store.put('env', e['id'], e)
    for g in (gate(0, 'new_checkout'), gate(1, 'dark_mode', type='PERMANENT', status='Launched'), gate(2, 'gift_cards', tags=[], monitoringMetrics=[]),
              gate(3, 'fast_search', isEnabled=False)):
        store.put('gate', g['id'], g)
    for n, (cid, versions) in enumerate([('banner_sizes', 16), ('shipping_rates', 4), ('search_weights', 2)]):
        for v in range(1, versions + 1):
            c = config(n, cid, v)
            store.put('config', cid, c)
            store.put('config_version', f'{cid}@{v}', c, cid)
    for m in [{'name': f'purchase_{k}', 'type': t, 'metricEvents': [{'name': 'purchase', 'type': ev}]} for k, t, ev in (
            ('count', 'event_count_custom', 'count'), ('users', 'event_user', 'count_distinct'), ('value', 'sum', 'value'), ('mean', 'mean', 'value'),
            ('p90', 'percentile', 'value'), ('latest', 'latest_value', 'value'))] + [
            {'name': f'purchase_sum_{k}', 'type': 'sum', 'metricEvents': [{'name': 'purchase', 'type': 'value', 'criteria': [
                {'type': 'metadata', 'column': 'country', 'condition': '=', 'values': [k]}]}]} for k in ('NO', 'SE', 'DK', 'FI', 'IS', 'DE')] + [
            {'name': 'checkout_count', 'type': 'event_count_custom', 'metricEvents': [{'name': 'checkout', 'type': 'count'}], 'directionality': 'decrease'},
            {'name': 'buy_rate', 'type': 'ratio', 'metricEvents': [{'name': 'purchase', 'type': 'count'}, {'name': 'checkout', 'type': 'count'}]},
            {'name': 'buy_funnel', 'type': 'funnel', 'funnelEventList': [{'name': 'checkout', 'type': 'event_count'}, {'name': 'purchase', 'type': 'event_count'}],
             'funnelCountDistinct': 'users'},
            {'name': 'refunds', 'type': 'event_count_custom', 'metricEvents': [{'name': 'purchase_refund', 'type': 'count'}]},
            {'name': 'refund_users', 'type': 'event_user', 'metricEvents': [{'name': 'purchase_refund', 'type': 'count_distinct'}]}]:
        b = build_metric(m)
        b['createdTime'] = T0
        b['description'] = f"Metric {m['name']}."
        store.put('metric', b['id'], b)
    for e in (experiment(0, 'short_checkout', ['control', 'two steps', 'one step']), experiment(1, 'free_shipping', ['control', 'free'], status='active')):
        store.put('exp', e['id'], e)
    for n, name in enumerate(['orders', 'refunds', 'visits', 'logins', 'searches', 'carts', 'coupons', 'reviews', 'returns', 'payments', 'shipments',
                              'tickets', 'signups', 'referrals', 'wishlists']):
        store.put('qe', name, qualifying(n, name))
    for n in range(18):
        i, name, _ = person(n)
        s = {'id': f'segment_{n + 1:02d}', 'isEnabled': n % 5 != 0, 'description': f'Segment number {n + 1}.', 'lastModifierName': name, 'lastModifierID': i,
             'type': 'rule_based' if n % 3 == 0 else 'id_list', 'count': n * 11, 'tags': ['crm'] if n % 2 else []}
        if s['type'] == 'rule_based':
            s['rules'] = {'name': 'members', 'passPercentage': 100, 'returnValue': {}, 'conditions': [condition('country', 'any', ['NO'])] + (
                [condition('custom_field', 'gt', ['5'], 'orders')] if n % 2 else [])}
        store.put('segment', s['id'], s)
    for pid, name in (('support_bot', 'Support bot'), ('product_blurb', 'Product blurb')):
        store.put('prompt', pid, {'id': pid, 'name': name})
        store.put('prompt_version', f'{pid}@v1', {'id': 'v1', 'name': f'{name} 1'}, pid)
    for name, many in (('purchase', 27), ('checkout', 23), ('purchase_refund', 4)):
        store.put('event', name, {'name': name})
        for k in range(many):
            store.put('record', f'{name}/{k}', {'timestamp': str(T0 + k * 61_000), 'name': name, 'source': 'web' if k % 3 else 'ios', 'value': '' if k % 4 == 0 else str(100 + k),
                                                'userID': f'user_{k * 7 % 50}', 'metadata': {'country': 'NO', 'cart': str(k)}}, name)
