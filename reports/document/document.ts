import type { Mark } from '../html/marks.ts';

/**
 * What a report that sets behaviours side by side shows, in words: of runs, or of two servers. Each format has one layout
 * for it. Nothing in it is made safe: that is done where it is shown.
 */
export interface ReportDocument {
  /** The title of the page, what it is about in a line, and what the sections are called that every report has. */
  readonly title: string;
  readonly kicker: string;
  /** What was set side by side: `Runs`, `Servers`. */
  readonly sides: string;
  /** What the page was written from. */
  readonly source: string;
  readonly verdict: Mark;
  /** What follows the verdict in one line. */
  readonly headline: string;
  readonly sentences: readonly string[];
  readonly subjects: readonly Subject[];
  /** Why it is to be read with care. */
  readonly cautions: readonly string[];
  readonly matrix?: Matrix;
  readonly parts: readonly Part[];
  readonly facts: readonly Pair[];
  /** Where the rest stands of what is cut. */
  readonly rest: string;
  /** How many entries a terminal shows whole, unless another number is asked for. */
  readonly whole: number;
}

/** One of what is set side by side. */
interface Subject {
  readonly letter: string;
  readonly mark: Mark;
  readonly name: string;
  readonly about: string;
  readonly files: readonly string[];
}

/** A name and a value. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Endpoints with their marks at each subject. */
export interface Matrix {
  readonly title: string;
  /** What is said where it has no row. */
  readonly empty: string;
  readonly legend: readonly Mark[];
  readonly rows: readonly MatrixRow[];
}

/** An endpoint: its mark at each subject, and how much of what is told below is about it. */
export interface MatrixRow {
  readonly endpoint: string;
  readonly cells: readonly { readonly mark: Mark; readonly note: string }[];
  readonly links: readonly { readonly text: string; readonly anchor: string }[];
  /** Nothing differs in it. */
  readonly isSame: boolean;
}

/** A section: entries, or plain lines. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly entries: readonly Entry[];
  readonly lines?: readonly string[];
}

/** One thing that differs, with all that is told of it. */
export interface Entry {
  readonly anchor: string;
  /** `D1`, where it has a name of its own. */
  readonly id?: string;
  readonly mark: Mark;
  /** It counts: it is told whole, where there is room. */
  readonly counts: boolean;
  readonly title: string;
  /** Whose it is. */
  readonly label?: string;
  /** Why it may be so. */
  readonly known?: string;
  readonly clauses: readonly Clause[];
  /** The endpoints, or requirements, that it is about. */
  readonly tags: readonly string[];
  readonly items: readonly Item[];
  readonly example?: Example;
  readonly command?: string;
  readonly remedy?: string;
}

/** A requirement: its id, `section 2.3, MUST`, and its statement, as far as they are known. */
interface Clause {
  readonly id: string;
  readonly about: string;
  readonly statement: string;
}

/** Where something shows: what it is, how often or how it went, and what each shows. */
export interface Item {
  readonly where: string;
  readonly note: string;
  readonly because?: string | undefined;
  readonly pairs: readonly Pair[];
}

/** The smallest sequence of requests that shows an entry, with what each answered. */
export interface Example {
  readonly title: string;
  readonly about: string;
  readonly steps: readonly ExampleStep[];
}

/** What was sent to all, or to each, and what came. */
export interface ExampleStep {
  readonly number: number;
  readonly requests: readonly {
    readonly to: string;
    readonly method: string;
    readonly path: string;
    readonly body?: string;
  }[];
  /** What came of it; without a head it was not sent there. */
  readonly answers: readonly { readonly letter: string; readonly head?: string; readonly body: string }[];
}

/** Returns an item without what each shows, in a line. */
export const itemText = ({ where, note }: Item): string => (note === '' ? where : `${where}, ${note}`);

/** Returns a clause with section and level: `gate.id (section 2.3, MUST)`. */
export const clauseText = ({ id, about }: Clause): string => (about === '' ? id : `${id} (${about})`);
