import { lastPage, readPage } from '../judge/page.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Asked } from './exchange.ts';
import { forgetOld, type Moment, type Tried } from './knowledge.ts';

/** The pages of a list that were read while nothing was tried. */
interface Walk {
  readonly total: number;
  readonly begun: Moment;
  readonly pages: Map<number, readonly string[]>;
}

/** The ids in a list that was read whole, and when its first page was asked for. */
interface WholeList {
  readonly ids: ReadonlySet<string>;
  readonly begun: Moment;
}

/** Puts pages together to whole lists. */
export function createWholeLists() {
  const walks = new Map<string, Walk>();
  return {
    /** Takes a page. Returns the whole list if all its pages were read and nothing was tried meanwhile. */
    read(key: string, asked: Asked, answer: Answer, tried: Tried, ids: readonly string[]): WholeList | undefined {
      const page = asked.isFiltered ? null : readPage(answer);
      if (page === null || page.itemsPerPage === 0 || ids.length !== page.items.length) return undefined;
      const walkKey = `${key} ${page.itemsPerPage}`;
      const known = walks.get(walkKey);
      const goesOn =
        known !== undefined && known.total === page.totalItems && tried.quietSince.place < known.begun.place;
      const walk: Walk =
        goesOn && page.pageNumber > 1 ? known : { total: page.totalItems, begun: asked.begun, pages: new Map() };
      walks.set(walkKey, walk);
      walk.pages.set(page.pageNumber, ids);
      if (tried.underWay > 0 || walk.pages.size < lastPage(page)) return undefined;
      const all = new Set([...walk.pages.values()].flat());
      return all.size === page.totalItems ? { ids: all, begun: walk.begun } : undefined;
    },
    forget: (beforeMs: number): void => forgetOld(walks, ({ begun }) => begun.ms < beforeMs),
    get size(): number {
      return walks.size;
    },
  };
}
