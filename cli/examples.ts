import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/**
 * The examples at the end of each command's help, by the command's name, two at least: each command line as a user writes
 * it, and its purpose.
 */
// biome-ignore format: a table
export const examples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'conform ctl': {
    'conform ctl behave --operation patch-gate --next 2 --status 500':     'make the next two patches answer 500',
    'conform ctl requests --status 4xx':                                   'what was refused, and why',
  },
  'conform ctl state': {
    'conform ctl state gates dark_mode':                                   'one gate, with all that the server keeps of it',
    'conform ctl state --api-key sandbox_1':                               'all there is in a sandbox',
  },
  'conform ctl put': {
    'conform ctl put gates dark_mode @gate.json':                          'a gate from a file',
    "conform ctl put segments beta '{\"id\":\"beta\",\"count\":3}'":       'a segment as it stands there',
  },
  'conform ctl patch': {
    "conform ctl patch gates dark_mode '{\"isEnabled\":false}'":           'behind the back of the clients',
    "conform ctl patch gates dark_mode '{\"team\":null}'":                 'take a member away',
  },
  'conform ctl rm': {
    'conform ctl rm gates dark_mode':                                      'clients find it gone',
    "conform ctl rm metrics 'page_view::event_count'":                     'a metric goes by name and type',
  },
  'conform ctl snapshots': {
    'conform ctl snapshots save before-lunch':                             'keep the state under a name',
    'conform ctl snapshots load before-lunch':                             'and go back to it',
    'conform ctl snapshots export before-lunch > lunch.json':              'carry it elsewhere',
  },
  'conform ctl behave': {
    'conform ctl behave --operation patch-gate --then 500 --then "429 Retry-After: 1" --then real': 'what patches meet in turn',
    'conform ctl behave --latency 20-400 --share 0.3 --seed 7':            'hold three requests in ten back',
    'conform ctl behave --fault gate-description-accepts-1001-characters': 'have a defect of the catalogue',
  },
  'conform ctl clock': {
    'conform ctl clock advance 2h':                                        'two hours later',
    'conform ctl clock set 2026-01-31T12:00:00Z':                          'another time, from which it goes on',
  },
  'conform ctl requests': {
    'conform ctl requests --status 4xx':                                   'what was refused, and why',
    'conform ctl requests --wait 1 --endpoint create-metric --json':       'wait for the next metric',
    'conform ctl requests --follow':                                       'all from now on',
  },
  'conform ctl seed': {
    'conform ctl seed seed.json':                                          'other fixtures, at once and after each reset',
    'conform ctl seed --api-key sandbox_1 fixtures/':                      'those of a folder, for a sandbox',
  },
  'conform ctl reset': {
    'conform ctl reset':                                                   'as it began',
    'conform ctl reset state requests':                                    'without touching behaviours and clock',
  },
  'conform ctl sandboxes': {
    'conform ctl sandboxes make':                                          'a world with a key of its own',
    'conform ctl sandboxes rm sandbox-0123456789abcdef':                   'forget one',
  },
  'conform': {
    'conform run --config conform.config.json':                            'test a server, and report per endpoint',
    'conform serve --port 4010':                                           'develop a client against the reference server',
  },
  'conform run': {
    'conform run':                                                         'test the embedded reference server',
    'conform run --base-url http://127.0.0.1:8080 --api-key KEY':          'what needs no fixtures',
    'conform run --config conform.config.json':                            'everything the config names',
    'conform run --config conform.config.json --only patch-gate':          'one endpoint',
    "conform run --config conform.config.json --only '*/rejects'":         'one check, every endpoint',
    'conform run --config conform.config.json --only gate.name':           'the checks that verify one requirement',
    'conform run --config conform.config.json --time 10m':                 'look for what is rare, ten minutes long',
    'conform run --config conform.config.json --watch':                    'again after each restart, what failed first',
    'conform run --config conform.config.json --failed --bail':             'what failed last, up to the first cause',
  },
  'conform init': {
    'conform init --base-url http://127.0.0.1:8080':                       'ask the server for what it can tell',
    'conform init --base-url http://127.0.0.1:8080 --event page_view':     'and name a logged event, which it cannot tell',
  },
  'conform doctor': {
    'conform doctor --config conform.config.json':                         'what will a run be able to prove?',
    'conform doctor --config conform.config.json --write':                 'and look at gates and operations, by requests that change nothing',
  },
  'conform serve': {
    'conform serve --port 4010':                                           'a server that keeps the contract',
    'conform serve --fault gate-description-accepts-1001-characters':      'one that breaks it in one place',
    'conform serve --seed seed.json --open-vocabulary':                    'with entities of your own, and any team or model',
    'conform serve --key ci=SECRET:read-only --unix-socket api.sock':      'a second key, and a socket in place of a port',
    'conform serve --store ./reference-state':                             'one that keeps its state when it ends',
  },
  'conform seed': {
    'conform seed from --base-url https://console.example.com':            'write a seed of what a server lets read',
    'conform seed from --config conform.config.json --out mine.json':      'and of the gates and configs that the config names',
  },
  'conform seed from': {
    'conform seed from --base-url http://127.0.0.1:8080 --event page_view': 'lists, and what was logged of an event',
    'conform seed from --config conform.config.json --force':              'once more, over the seed that is there',
  },
  'conform list': {
    'conform list checks':                                                 'what is tested',
    'conform list faults':                                                 'what the reference server can do wrong',
  },
  'conform report': {
    'conform report conform-report/journal.ndjson --reporter html':        'a page of an earlier run',
    'conform report shard-1.ndjson shard-2.ndjson --reporter junit':       'the shards of one run, joined',
  },
  'conform judge': {
    'conform judge tests.har':                                             'who broke the contract in what a browser recorded?',
    'conform judge tests.har --fail-on client --expect-breach known.json': 'fail for the client, but for what its tests do on purpose',
  },
  'conform proxy': {
    "conform proxy --target http://127.0.0.1:8080 --exec 'npm test'":      'judge what your tests send, and what they are answered',
    'conform proxy --until-idle 10s --record traffic.har':                 'before the embedded reference server, and keep what passed',
  },
  'conform restore': {
    'conform restore conform-report/journal.ndjson --base-url http://127.0.0.1:8080': 'after a run that was killed',
    'conform restore journal.ndjson --config conform.config.json':         'where the server has names of its own',
  },
  'conform verify': {
    'conform verify journal.ndjson report.json recording.gz':              'what of a result contradicts the rest of it',
    'conform verify journal.ndjson --attestation a.json --key public.pem': 'an attestation beside its result',
  },
  'conform compare': {
    'conform compare before/report.json after/report.json':                'what got better or worse',
    'conform compare main.json branch.json --fail-on regression':          'exit 1 where something got worse, or less was verified',
  },
  'conform diff': {
    'conform diff http://127.0.0.1:8080 http://127.0.0.1:8081 --config conform.config.json': 'what will a new server do otherwise?',
    'conform diff today.rec http://127.0.0.1:8081 --fail-on open --allow known.json': 'the same of a recording, as a gate',
  },
  'conform baseline': {
    'conform baseline update report.json --baseline known.json --reason T-7': 'write down what fails today',
    'conform run --config conform.config.json --baseline known.json':      'and fail for anything else',
  },
  'conform baseline update': {
    'conform baseline update report.json --baseline known.json --reason T-7': 'write down what fails today',
    'conform baseline update report.json --baseline known.json':           'take out what is mended',
  },
  'conform replay': {
    'conform replay F3 --config conform.config.json':                       'send the third cause of the last run again',
    'conform replay patch-gate/rejects#2 other/report.json --use-reported-address': 'the second finding of a check, where that report was made',
  },
  'conform explain': {
    'conform explain F3':                                                  'the third cause of the last run, with all evidence',
    'conform explain coverage':                                            'what the last run tried and what it did not, by operation and relation',
    'conform explain coverage patch-gate':                                 'every cell of an operation, with its exchange or why there is none',
    'conform explain gate.name.pattern':                                   'a requirement',
  },
  'conform badge': {
    'conform badge conform-report/report.json > conformance.svg':          'the verdict and the coverage, for a page',
    "conform badge --label 'console 2.4' --out docs/conformance.svg":      'with a label of its own',
  },
  'conform site': {
    'conform site runs/gateway runs/replica --out site/':                  'all implementations and their history',
    "conform site 'Gateway 2.4=runs/gateway' --title 'Console API'":       'under names of their own',
  },
  'conform openapi': {
    'conform openapi > openapi.json':                                      'for tools that read OpenAPI 3.1',
    "conform openapi | jq '.paths | keys'":                                'hand it to another program',
  },
  'conform schema': {
    'conform schema':                                                      'the names of the schemas',
    'conform schema target-file > target-file.schema.json':                'for an editor that checks the target file',
  },
};

/** Returns the full name of a command: `conform baseline update`. */
const nameOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** Returns a command and all its subcommands. */
export const commandsIn = (command: CommandUnknownOpts): readonly CommandUnknownOpts[] => [
  command,
  ...command.commands.flatMap(commandsIn),
];

/** Adds the examples to the help of a command and all its subcommands. */
export function withExamples(program: CommandUnknownOpts): CommandUnknownOpts {
  for (const command of commandsIn(program)) {
    const own = Object.entries(examples[nameOf(command)] ?? {});
    const width = Math.max(0, ...own.map(([line]) => line.length));
    const lines = own.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`);
    if (own.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
  return program;
}

/** Makes a command accept another's flags as hidden ones, so that one line of flags serves both. */
export function takingFlagsOf(other: CommandUnknownOpts, command: CommandUnknownOpts): void {
  const own = new Set(command.options.map(({ long }) => long));
  for (const option of other.options)
    if (!own.has(option.long))
      command.addOption(Object.assign(Object.create(Option.prototype) as Option, option, { hidden: true }));
}
