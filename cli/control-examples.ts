/** The examples with which the help of `ctl` and of its commands ends. */
// biome-ignore format: a table
export const controlExamples = {
  'conform ctl': [
    ['conform ctl behave --operation patch-gate --next 2 --status 500',     'make the next two patches answer 500'],
    ['conform ctl requests --status 4xx',                                   'what was refused, and why'],
  ],
  'conform ctl state': [
    ['conform ctl state gates dark_mode',                                   'one gate, with all that the server keeps of it'],
    ['conform ctl state --api-key sandbox_1',                               'all there is in a sandbox'],
  ],
  'conform ctl put': [
    ['conform ctl put gates dark_mode @gate.json',                          'a gate from a file'],
    ["conform ctl put segments beta '{\"id\":\"beta\",\"count\":3}'",       'a segment as it stands there'],
  ],
  'conform ctl patch': [
    ["conform ctl patch gates dark_mode '{\"isEnabled\":false}'",           'behind the back of the clients'],
    ["conform ctl patch gates dark_mode '{\"team\":null}'",                 'take a member away'],
  ],
  'conform ctl rm': [
    ['conform ctl rm gates dark_mode',                                      'clients find it gone'],
    ["conform ctl rm metrics 'page_view::event_count'",                     'a metric goes by name and type'],
  ],
  'conform ctl snapshots': [
    ['conform ctl snapshots save before-lunch',                             'keep the state under a name'],
    ['conform ctl snapshots load before-lunch',                             'and go back to it'],
    ['conform ctl snapshots export before-lunch > lunch.json',              'carry it elsewhere'],
  ],
  'conform ctl behave': [
    ['conform ctl behave --operation patch-gate --next 2 --status 500',     'the next two patches answer 500'],
    ['conform ctl behave --latency 20-400 --share 0.3 --seed 7',            'hold three requests in ten back'],
    ['conform ctl behave --fault gate-description-accepts-1001-characters', 'have a defect of the catalogue'],
  ],
  'conform ctl clock': [
    ['conform ctl clock advance 2h',                                        'two hours later'],
    ['conform ctl clock set 2026-01-31T12:00:00Z',                          'another time, from which it goes on'],
  ],
  'conform ctl requests': [
    ['conform ctl requests --status 4xx',                                   'what was refused, and why'],
    ['conform ctl requests --wait 1 --endpoint create-metric --json',       'wait for the next metric'],
    ['conform ctl requests --follow',                                       'all from now on'],
  ],
  'conform ctl reset': [
    ['conform ctl reset',                                                   'as it began'],
    ['conform ctl reset state requests',                                    'without touching behaviours and clock'],
  ],
  'conform ctl sandboxes': [
    ['conform ctl sandboxes make',                                          'a world with a key of its own'],
    ['conform ctl sandboxes rm sandbox-0123456789abcdef',                   'forget one'],
  ],
} as const;
