import { dialectNamed, dialects, faultNamed, faults } from '../../../reference-server/index.ts';
import { concerned } from '../dialects/judged.fixture.ts';
import { measureDialect, provenFile } from '../dialects/proven.fixture.ts';
import { killsFile, measureKill } from '../kill-matrix/kills.fixture.ts';
import { halfDone, measureHalfDone, premiseFile } from '../premise/measured.fixture.ts';
import { isDriven, measureSighting } from '../traffic/faults.fixture.ts';
import { sightingsFile } from '../traffic/page.fixture.ts';
import { type VacuousTarget, vacuousTargets } from '../vacuous/targets.fixture.ts';
import { measureVacuous, verifiedFile } from '../vacuous/verified.fixture.ts';
import type { PresentRow } from './rows.ts';
import { hashOfDialect, hashOfFault, hashOfHalfDone, hashOfSighting, hashOfVacuous } from './sources.ts';

/** The result of measuring a row: what to note, or the problems, one line each. */
export interface Measured {
  readonly noted?: object;
  readonly problems: readonly string[];
}

/** A proof that measures rows one by one, each noted with a hash of everything it depends on. */
export interface Catalogue {
  readonly name: string;
  /** What it proves beyond `npm test`, in a sentence. */
  readonly title: string;
  /** The file of the results. */
  readonly file: URL;
  readonly present: () => readonly PresentRow[];
  readonly measure: (id: string) => Promise<Measured>;
}

/** The proofs of the catalogues of the reference server. */
export const catalogues: readonly Catalogue[] = [
  {
    name: 'kill-matrix',
    title: 'Each fault by the whole run of its endpoints, alone and beside the sound server',
    file: killsFile,
    present: () => faults.map(fault => ({ id: fault.id, hash: hashOfFault(fault) })),
    measure: id => measureKill(faultNamed(id)),
  },
  {
    name: 'dialects',
    title: 'Each dialect by another seed, a second run of the same server, another server that speaks it, two clients',
    file: provenFile,
    present: () => dialects.map(dialect => ({ id: dialect.id, hash: hashOfDialect(dialect, concerned(dialect)) })),
    measure: id => measureDialect(dialectNamed(id)),
  },
  {
    name: 'traffic',
    title: 'What the traffic of an ordinary client, and of broken ones, shows of each fault',
    file: sightingsFile,
    present: () => faults.filter(isDriven).map(fault => ({ id: fault.id, hash: hashOfSighting(fault) })),
    measure: id => measureSighting(faultNamed(id)),
  },
  {
    name: 'vacuous',
    title: 'What a standard run verifies of servers that do nothing',
    file: verifiedFile,
    present: () => vacuousTargets.map(target => ({ id: target.id, hash: hashOfVacuous(target) })),
    measure: id => measureVacuous(vacuousTargets.find(target => target.id === id) as VacuousTarget),
  },
  {
    name: 'premise',
    title: 'What is told of servers that are half done: a field demanded, an operation gone, one served alone, none',
    file: premiseFile,
    present: () => halfDone.map(({ id }) => ({ id, hash: hashOfHalfDone(id) })),
    measure: measureHalfDone,
  },
];
