import type { BodyEvidence, Counterexample } from '../../contracts/report/evidence.ts';
import type { Mark } from './marks.ts';

/**
 * What a report shows, in words: of a run, of judged traffic, of runs or servers side by side, of many runs. Each format
 * has one layout for it. No text in it is made safe: that is done where it is shown. Text between back quotes is code.
 */
export interface ReportDocument {
  /** The title of the page, and what it is about in a line. */
  readonly title: string;
  readonly kicker: string;
  /** Where the kicker leads to, if it leads anywhere. */
  readonly home?: string;
  /** What the page was written from. */
  readonly source: string;
  readonly verdict: Mark;
  /** What stands beside the verdict: the coverage of a run. */
  readonly beside?: string | undefined;
  /** What follows the verdict in one line. */
  readonly headline: string;
  readonly sentences: readonly string[];
  /** The figures that say most. */
  readonly figures: readonly Figure[];
  readonly parts: readonly Part[];
  /** What it was made with. */
  readonly facts: readonly Pair[];
  /** Where the rest stands of what is cut. */
  readonly rest: string;
  /** How many entries of a part a terminal shows whole, unless another number is asked for. */
  readonly whole: number;
  /** The endpoints by which a page can be filtered; absent where it cannot. */
  readonly filter?: readonly string[];
}

/** The formats that show a part; a terminal shows some only if it is asked to show more. */
export type Format = 'page' | 'comment' | 'terminal' | 'verbose';

/** A name and a value. */
export interface Pair {
  readonly name: string;
  readonly value: string;
  /** The end of the value, by which it is compared with the pair beside it; absent: all of it. */
  readonly own?: string;
  readonly kind?: 'expected' | 'got';
}

/** A name and some lines. */
export interface Figure {
  readonly name: string;
  readonly lines: readonly string[];
}

/** A section. It shows what it has, in this order. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly note?: string | undefined;
  /** Absent: all formats but `verbose`. */
  readonly formats?: readonly Format[];
  /** It stands at the head of a page. */
  readonly isHead?: true;
  readonly rows?: readonly Row[];
  /** The rows are numbered, and have no marks. */
  readonly isNumbered?: true;
  readonly table?: Table;
  readonly entries?: readonly Entry[];
  /** A terminal shows each entry of it in a line, then these commands. */
  readonly isIndex?: true;
  readonly commands?: readonly Command[];
  readonly groups?: readonly Group[];
  readonly lines?: readonly string[];
  /** What to say where there is nothing of all this. */
  readonly empty?: string;
}

/** A command to copy, and what it does. */
export interface Command {
  readonly name: string;
  readonly text: string;
}

/** A line with its mark, and what else is said of it. */
export interface Row {
  readonly mark: Mark;
  readonly name?: string;
  readonly text: string;
  readonly about?: readonly string[];
  readonly remedy?: string | undefined;
  /** What to copy. */
  readonly command?: string;
  /** Where its name leads to, or its text if it has no name. */
  readonly href?: string | undefined;
  readonly endpoints?: readonly string[];
}

/** Cells in rows and columns. */
export interface Table {
  readonly legend?: readonly Mark[];
  /** What is said of the legend, or below the table. */
  readonly cue?: string;
  readonly about?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

/** A column: `turned` and narrow, of numbers, or of texts. `minor` is left out where there is little room. */
interface Column {
  readonly name: string;
  readonly title?: string;
  readonly kind?: 'turned' | 'number' | 'minor' | 'text';
}

/** A row of a table; the first cell is its head. */
export interface TableRow {
  readonly anchor?: string;
  readonly cells: readonly Cell[];
  /** Nothing differs in it: such rows are folded. */
  readonly isSame?: boolean;
}

/** A cell: a mark, a text, or both. */
export interface Cell {
  readonly mark?: Mark;
  readonly text?: string | undefined;
  readonly title?: string;
  readonly href?: string | undefined;
  readonly about?: readonly string[] | undefined;
  /** How much of it is there, from 0 to 5. */
  readonly share?: number;
  /** What it has fallen from, and to. */
  readonly drop?: string | undefined;
  readonly links?: Tags['items'];
}

/** Something that is wrong, or differs, or is not known, with all that is told of it. */
export interface Entry {
  readonly anchor: string;
  /** `D1`, where it has a name of its own. */
  readonly id?: string;
  readonly mark: Mark;
  /** It counts: it is told whole, where there is room. */
  readonly counts: boolean;
  readonly title: string;
  /** The title where there is little room. */
  readonly brief?: string;
  /** Where its title leads to. */
  readonly href?: string | undefined;
  /** Whose it is. */
  readonly label?: string | undefined;
  /** Where it shows; absent: the items say so. */
  readonly place?: string;
  /** Why it may be so, where somebody said. */
  readonly known?: string | undefined;
  readonly clauses: readonly Clause[];
  /** The endpoints that it is about, by which it is found. */
  readonly endpoints: readonly string[];
  readonly items: readonly Item[];
  /** How many more there are of which nothing is known here. */
  readonly more?: number;
  readonly tags?: readonly Tags[];
  /** What shows all of its evidence. */
  readonly command?: string | undefined;
  readonly remedy?: string | undefined;
}

/** Names that are listed together. */
export interface Tags {
  readonly title: string;
  readonly items: readonly { readonly text: string; readonly href?: string }[];
}

/** A requirement: its id, `section 2.3, MUST`, and its statement, as far as they are known. */
export interface Clause {
  readonly id: string;
  readonly about: string;
  readonly statement: string;
}

/** Where something shows: what it is, how often or how it went, and what each shows. */
export interface Item {
  readonly anchor?: string;
  readonly where: string;
  readonly note: string;
  readonly endpoint?: string;
  readonly about?: string;
  readonly because?: string | undefined;
  /** What was expected and what came, or what each shows: the part in which the first two differ is marked. */
  readonly pairs: readonly Pair[];
  /** What else is told of it. */
  readonly more?: readonly Pair[];
  /** What was sent, and the control that was accepted. */
  readonly difference?: Pick<Counterexample, 'sent' | 'control'> | undefined;
  /** What it was a case of. */
  readonly example?: string;
  readonly steps: readonly Step[];
  /** How requests that were sent at once went, a line each. */
  readonly race?: readonly string[] | undefined;
  readonly commands?: readonly Command[];
}

/** What was sent, to all or to each, and what came of it. */
export interface Step {
  /** Absent: there is no other step. */
  readonly number?: number;
  readonly requests: readonly Message[];
  readonly answers: readonly Message[];
  /** What the answer had at the accused place. */
  readonly shown?: string | undefined;
  readonly isOpen: boolean;
}

/** A request or an answer. */
export interface Message {
  readonly label: string;
  /** To which one it was sent, or which one answered, where there are several. */
  readonly letter: string;
  /** `PATCH https://…`, `200 after 12 ms`. */
  readonly line: string;
  /** The same in short: `PATCH /console/v1/gates/a`, `200`. */
  readonly brief: string;
  readonly headers: readonly string[];
  readonly body?: BodyEvidence | undefined;
  /** The accused place of the body. */
  readonly place?: string | undefined;
  /** The accused value, where the body is cut before it. */
  readonly accused?: string | undefined;
  /** What it says stands in what came already. */
  readonly isTold?: boolean;
}

/** Things that are folded together. */
export interface Group {
  readonly anchor?: string;
  readonly title: string;
  readonly detail?: string;
  readonly tally?: readonly { readonly mark: Mark; readonly count: number }[];
  readonly isOpen?: boolean;
  readonly rows?: readonly Row[];
  readonly items?: readonly string[];
  readonly lists?: readonly {
    readonly anchor: string;
    readonly title: string;
    readonly detail: string;
    readonly pairs: readonly Pair[];
  }[];
}

/** Returns an item without what each shows, in a line. */
export const itemText = ({ where, note }: Item): string => (note === '' ? where : `${where} (${note})`);

/** Returns a clause with section and level: `gate.id (section 2.3, MUST)`. */
export const clauseText = ({ id, about }: Clause): string => (about === '' ? id : `${id} (${about})`);

/** Returns the rows of a table that have a value. */
export const pairsIn = (rows: readonly (readonly [name: string, value: string | undefined])[]): Pair[] =>
  rows.flatMap(([name, value]) => (value ? [{ name, value }] : []));

/** Returns true where a format shows a part. */
export const isShown = ({ formats }: Part, format: Format): boolean =>
  formats === undefined ? format !== 'verbose' : formats.includes(format);
