import type { BodyEvidence, Counterexample } from '../../contracts/report/evidence.ts';
import type { Mark } from './marks.ts';

/**
 * The content of a report: of a run, judged traffic, compared runs or servers, or a history. Each format has one layout
 * for it. Texts are made safe when they are shown, not here. Text between back quotes is code.
 */
export interface ReportDocument {
  /** The title of the page, and its subject in one line. */
  readonly title: string;
  readonly kicker: string;
  /** The link of the kicker, if any. */
  readonly home?: string;
  /** The source from which the page was written. */
  readonly source: string;
  readonly verdict: Mark;
  /** Shown beside the verdict: the coverage of a run. */
  readonly beside?: string | undefined;
  /** One line that follows the verdict. */
  readonly headline: string;
  readonly sentences: readonly string[];
  /** The most important figures. */
  readonly figures: readonly Figure[];
  readonly parts: readonly Part[];
  /** How the report was made. */
  readonly facts: readonly Pair[];
  /** Where to find what is cut here. */
  readonly rest: string;
  /** How many entries of a part a terminal shows in full by default. */
  readonly whole: number;
  /** The endpoints by which a page can be filtered; absent if it cannot. */
  readonly filter?: readonly string[];
}

/** The formats that show a part; a terminal shows `verbose` parts only on request. */
export type Format = 'page' | 'comment' | 'terminal' | 'verbose';

/** A name and a value. */
export interface Pair {
  readonly name: string;
  readonly value: string;
  /** The end of the value, which is compared with the neighbouring pair; absent: all of it. */
  readonly own?: string;
  readonly kind?: 'expected' | 'got';
}

/** A name and some lines. */
export interface Figure {
  readonly name: string;
  readonly lines: readonly string[];
}

/** A section. It shows its members in this order. */
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
  /** A terminal shows its entries in a line each, and commands after all rows and entries. */
  readonly isIndex?: true;
  readonly commands?: readonly Command[];
  readonly groups?: readonly Group[];
  readonly lines?: readonly string[];
  /** Shown if the part has no content. */
  readonly empty?: string;
}

/** A command to copy, and what it does. */
export interface Command {
  readonly name: string;
  readonly text: string;
}

/** A line with its mark and details. */
export interface Row {
  readonly mark: Mark;
  readonly name?: string;
  readonly text: string;
  readonly about?: readonly string[];
  readonly remedy?: string | undefined;
  /** A command to copy. */
  readonly command?: string;
  /** The link of its name, or of its text if it has no name. */
  readonly href?: string | undefined;
  readonly endpoints?: readonly string[];
}

/** Cells in rows and columns. */
export interface Table {
  readonly legend?: readonly Mark[];
  /** Text beside the legend, or below the table. */
  readonly cue?: string;
  readonly about?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

/** A column: `turned` and narrow, of numbers, or of texts. `minor` is left out if there is little room. */
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
  /** Filled share, from 0 to 5. */
  readonly share?: number;
  /** The values before and after a drop. */
  readonly drop?: string | undefined;
  readonly links?: Tags['items'];
}

/** A defect, a difference or an unknown, with its details. */
export interface Entry {
  readonly anchor: string;
  /** Its own name, such as `D1`. */
  readonly id?: string;
  readonly mark: Mark;
  /** It counts: it is shown in full if there is room. */
  readonly counts: boolean;
  readonly title: string;
  /** The title if there is little room. */
  readonly brief?: string;
  /** The link of its title. */
  readonly href?: string | undefined;
  /** The side it is blamed on. */
  readonly label?: string | undefined;
  /** Where it shows; absent: the items say so. */
  readonly place?: string;
  /** The reason that a user gave for it. */
  readonly known?: string | undefined;
  readonly clauses: readonly Clause[];
  /** The endpoints concerned, for filtering. */
  readonly endpoints: readonly string[];
  readonly items: readonly Item[];
  readonly tags?: readonly Tags[];
  /** The command that shows all of its evidence. */
  readonly command?: string | undefined;
  readonly remedy?: string | undefined;
}

/** Names that are listed together. */
export interface Tags {
  readonly title: string;
  readonly items: readonly { readonly text: string; readonly href?: string }[];
}

/** A requirement: its id, `section 2.3, MUST`, and its statement, as far as known. */
export interface Clause {
  readonly id: string;
  readonly about: string;
  readonly statement: string;
}

/** A place where an entry shows: what it is, how often or how it went, and the values there. */
export interface Item {
  readonly anchor?: string;
  readonly where: string;
  readonly note: string;
  readonly endpoint?: string;
  readonly about?: string;
  readonly because?: string | undefined;
  /** Expected and received values, or those of each side. The part in which the first two differ is marked. */
  readonly pairs: readonly Pair[];
  /** Further details. */
  readonly more?: readonly Pair[];
  /** The sent value, and the accepted control. */
  readonly difference?: Pick<Counterexample, 'sent' | 'control'> | undefined;
  /** The case that it is an example of. */
  readonly example?: string;
  readonly steps: readonly Step[];
  /** The history of simultaneous requests, a line each. */
  readonly race?: readonly string[] | undefined;
  readonly commands?: readonly Command[];
}

/** Requests, to all sides or to each, and their answers. */
export interface Step {
  /** Absent: there is no other step. */
  readonly number?: number;
  readonly requests: readonly Message[];
  readonly answers: readonly Message[];
  /** The value at the accused place of the answer. */
  readonly shown?: string | undefined;
  readonly isOpen: boolean;
}

/** A request or an answer. */
export interface Message {
  readonly label: string;
  /** The letter of the side that was asked or answered, if there are several. */
  readonly letter: string;
  /** `PATCH https://…`, `200 after 12 ms`. */
  readonly line: string;
  /** The short form: `PATCH /console/v1/gates/a`, `200`. */
  readonly brief: string;
  readonly headers: readonly string[];
  readonly body?: BodyEvidence | undefined;
  /** The accused place of the body. */
  readonly place?: string | undefined;
  /** The accused value, if the body is cut before it. */
  readonly accused?: string | undefined;
  /** It repeats what was already shown. */
  readonly isTold?: boolean;
}

/** Items that are folded together. */
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

/** Returns an item in one line, without its values. */
export const itemText = ({ where, note }: Item): string => (note === '' ? where : `${where} (${note})`);

/** Returns a clause with section and level: `gate.id (section 2.3, MUST)`. */
export const clauseText = ({ id, about }: Clause): string => (about === '' ? id : `${id} (${about})`);

/** Returns the rows of a table that have a value. */
export const pairsIn = (rows: Readonly<Record<string, string | undefined>>): Pair[] =>
  Object.entries(rows).flatMap(([name, value]) => (value ? [{ name, value }] : []));

/** Returns true if a format shows a part. */
export const isShown = ({ formats }: Part, format: Format): boolean =>
  formats ? formats.includes(format) : format !== 'verbose';
