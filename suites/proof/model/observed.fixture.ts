import {
  type Dialect,
  dialectNamed,
  dialects,
  type Fault,
  faultNamed,
  faults,
} from '../../../reference-server/index.ts';
import { createModel } from '../../model/interpret.ts';
import { isFirm, type Suspicion } from '../../model/suspicion.ts';
import { settingOf as settingOfDialect, unhurried } from '../dialects/judged.fixture.ts';
import { due, settingOf as settingOfFault, wholeOf } from '../kill-matrix/detection.fixture.ts';
import type { Measured } from '../prove/catalogues.ts';
import { type NotedRows, type PresentRow, readRows } from '../prove/rows.ts';
import { recordedRun, type Setting } from '../testing/reference-run.ts';

/** The suspicions of the model about a run: how many are firm, and how many have each excuse. */
export interface Counted {
  /** The requests that the model observed, each attempt counted. */
  readonly requests: number;
  readonly firm: number;
  /** Firm ones if only the suite writes; absent for a service that changes by itself. */
  readonly firmAlone?: number;
  /** The others, by excuse; `explained`: by a later answer. */
  readonly excused: Readonly<Record<string, number>>;
  /**
   * For a fault: how firmly a suspicion names its requirement. `alone`: firm if nobody else writes. `other`: suspicions
   * name only other requirements.
   */
  readonly named?: 'firm' | 'alone' | 'excused' | 'other' | 'silent';
}

/** The file of the counts; `npm run prove -- model` writes it. */
export const countedFile = new URL('counted.json', import.meta.url);

/** Returns the last proven counts. */
export const counted = (): NotedRows<Counted> => readRows<Counted>(countedFile);

/** The faults whose runs end. A server that never answers tells the model nothing. */
const observable = faults.filter(({ requirement }) => requirement !== 'robust.no-hang');

const dialectRow = (id: string): string => `dialect/${id}`;
const faultRow = (id: string): string => `fault/${id}`;

/** Returns a row for every dialect and fault. The counts only show the value of the model; no test depends on them. */
export const presentRows = (): readonly PresentRow[] =>
  [...dialects.map(({ id }) => dialectRow(id)), ...observable.map(({ id }) => faultRow(id))].map(id => ({
    id,
    hash: '',
  }));

/** Runs the suite and gives each exchange to two models: one that expects writes by others, and one that does not. */
async function observed(setting: Setting, settleMs: number) {
  const options = { settleMs, token: 'conform_test' };
  const models = [createModel(options), createModel({ ...options, isSoleWriter: true })] as const;
  const suspicions: [Suspicion[], Suspicion[]] = [[], []];
  let requests = 0;
  await recordedRun({
    ...setting,
    run: {
      ...setting.run,
      watch: {
        answer: () => {},
        sent: () => {},
        begun(one) {
          requests += 1;
          for (const model of models) model.interpret({ kind: 'begun', ...one });
        },
        answered(answer, arrival) {
          for (const [index, model] of models.entries())
            suspicions[index]?.push(...model.interpret({ kind: 'answered', answer, ...arrival }).suspicions);
        },
      },
    },
  });
  return { requests, shared: suspicions[0], alone: suspicions[1] };
}

function countedBy(requests: number, shared: readonly Suspicion[], alone: readonly Suspicion[] | null): Counted {
  const excused: Record<string, number> = {};
  for (const one of shared) {
    if (isFirm(one)) continue;
    const key = one.isExplained ? 'explained' : [...one.excuses].sort().join(' ');
    excused[key] = (excused[key] ?? 0) + 1;
  }
  const firm = shared.filter(isFirm).length;
  return { requests, firm, ...(alone === null ? {} : { firmAlone: alone.filter(isFirm).length }), excused };
}

async function ofDialect(dialect: Dialect): Promise<Counted> {
  const setting = settingOfDialect(dialect, 1);
  const { requests, shared, alone } = await unhurried(dialect, () => observed(setting, setting.run?.settleMs ?? 0));
  return countedBy(requests, shared, dialect.changes === undefined ? alone : null);
}

/** Returns how firmly suspicions name a requirement that the fault breaks. */
function namedBy(
  fault: Fault,
  shared: readonly Suspicion[],
  alone: readonly Suspicion[],
): NonNullable<Counted['named']> {
  const rows: readonly string[] = due(fault);
  const isRight = ({ requirements }: Suspicion): boolean => requirements.some(one => rows.includes(one));
  if (shared.some(one => isFirm(one) && isRight(one))) return 'firm';
  if (alone.some(one => isFirm(one) && isRight(one))) return 'alone';
  if (shared.some(isRight)) return 'excused';
  return shared.length > 0 ? 'other' : 'silent';
}

async function ofFault(fault: Fault): Promise<Counted> {
  const setting = settingOfFault(fault, wholeOf(fault));
  const { requests, shared, alone } = await observed(setting, setting.run?.settleMs ?? 0);
  return { ...countedBy(requests, shared, alone), named: namedBy(fault, shared, alone) };
}

/** Counts the suspicions about a dialect or a fault. A firm one about a dialect is wrong. */
export async function measureObserved(id: string): Promise<Measured> {
  const [kind, name = ''] = id.split('/');
  if (kind === 'fault') return { noted: await ofFault(faultNamed(name)), problems: [] };
  const noted = await ofDialect(dialectNamed(name));
  return noted.firm === 0 ? { noted, problems: [] } : { problems: [`${noted.firm} firm suspicions of what is right`] };
}
