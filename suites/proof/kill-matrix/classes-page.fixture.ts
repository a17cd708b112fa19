import { code, table } from '../../../contracts/markdown.ts';
import { type FaultKind, faultKinds } from '../../../reference-server/index.ts';
import { allKills, type FaultKill } from './kills.fixture.ts';
import { median, percent } from './page.fixture.ts';

/** A class of faults beyond one field of one answer, and the parts of the suite that find them. */
interface FaultClass {
  readonly title: string;
  /** The kinds of the catalogue in this class. */
  readonly kinds: readonly FaultKind[];
  /** The files of the mechanism, relative to `suites/`. */
  readonly mechanism: readonly string[];
}

/** The classes, and the files that detect each. */
// biome-ignore format: a table
export const faultClasses: readonly FaultClass[] = [
  { title: 'refused, unauthenticated and dry writes change nothing', kinds: ['effects', 'attempts'], mechanism: ['checks/stimuli/no-trace.ts', 'model/causes.ts', 'model/marks.ts'] },
  { title: 'after any sequence each entity is as it was left',       kinds: ['sequels'],     mechanism: ['model/interpret.ts', 'checks/stimuli/sequences.ts', 'checks/stimuli/courses.ts'] },
  { title: 'accepted writes are read back whole',                    kinds: ['stored', 'state'], mechanism: ['state/reading.ts', 'state/difference.ts', 'checks/stimuli/frame.ts', 'checks/stimuli/event-stored.ts', 'checks/stimuli/metric-stored.ts'] },
  { title: 'neighbours stay as they are',                            kinds: ['neighbours'],  mechanism: ['checks/stimuli/neighbours.ts', 'checks/stimuli/experiment-neighbours.ts'] },
  { title: 'writes and reads at once',                               kinds: ['races'],       mechanism: ['model/creations.ts', 'state/crowd.ts', 'checks/stimuli/races.ts', 'checks/stimuli/at-once.ts'] },
  { title: 'a rule holds in company and for later items',            kinds: ['mirrors'],     mechanism: ['generators/covering.ts', 'generators/company.ts', 'generators/later-items.ts'] },
  { title: 'values as people have them',                             kinds: ['values'],      mechanism: ['generators/free-form.ts', 'generators/odd-texts.ts', 'generators/odd-numbers.ts', 'checks/active/values.ts'] },
  { title: 'near misses of texts and of closed sets',                kinds: ['near misses', 'patterns', 'enums'], mechanism: ['generators/near-misses.ts', 'checks/active/rejects.ts'] },
  { title: 'the same request in other spellings',                    kinds: ['spellings'],   mechanism: ['checks/active/spellings.ts', 'generators/spelled-json.ts'] },
  { title: 'who asks',                                               kinds: ['keys', 'authentication'], mechanism: ['checks/active/key-cases.ts', 'checks/active/authentication.ts'] },
  { title: 'pages, query parameters and odd requests',               kinds: ['pagination', 'robustness'], mechanism: ['checks/active/pagination.ts', 'checks/active/odd-requests.ts', 'checks/active/malformed-bodies.ts'] },
];

function row({ title, kinds, mechanism }: FaultClass, kills: readonly FaultKill[]): string[] {
  const own = kills.filter(({ fault }) => kinds.some(kind => (faultKinds[kind] as readonly unknown[]).includes(fault)));
  const found = own.flatMap(({ kill }) => kill ?? []);
  const quick = found.filter(({ profile }) => profile === 'quick').length;
  return [
    title,
    mechanism.map(file => code(`suites/${file}`)).join(', '),
    kinds.join(', '),
    `${own.length}`,
    `${found.length}`,
    `${quick} (${percent(quick, own.length)})`,
    `${median(found.map(({ requests }) => requests))}`,
  ];
}

/** Returns `docs/classes.md`: each class of faults that no single answer shows, and how it is found. */
export const classesPage = (): string =>
  [
    '# Classes of faults',
    '',
    'Beyond one field of one answer: what a server may get wrong in state, in races, in company, in values and in who asks, and what of the suite finds it. The',
    'faults are those of the [kill matrix](kill-matrix.md); "requests" is the median of what a lane had sent when the first finding was made.',
    '',
    table(
      ['class', 'mechanism', 'kinds of faults', 'faults', 'found', 'by the quick profile', 'requests'],
      faultClasses.map(one => row(one, allKills())),
    ),
    '',
  ].join('\n');
