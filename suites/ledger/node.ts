import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { memoized } from '../../contracts/memoized.ts';
import { childrenOf } from '../../contracts/walk.ts';

/** A documented place of a request body or of `data`. */
export interface LedgerNode {
  /** Dotted from the root, with `[]` for the items of a list: `groups[].name`. Empty for the root itself. */
  readonly path: string;
  readonly schema: Schema;
  /** The schemas from the body field down to this one, inclusive. */
  readonly chain: readonly Schema[];
  /** The enclosing object or list. */
  readonly parent: LedgerNode | null;
  /** Its name in an object; null for the item of a list. */
  readonly name: string | null;
  readonly isRequired: boolean;
}

/** Returns the documented places of a schema, the root first. The branches of a union are no places of their own. */
export const ledgerNodes = memoized((root: Schema): readonly LedgerNode[] => {
  const found: LedgerNode[] = [];
  const visit = (node: LedgerNode): void => {
    found.push(node);
    for (const [step, schema] of childrenOf(node.schema)) {
      const isItem = step === 'items';
      if (!isItem && !step.startsWith('properties/')) continue;
      const name = isItem ? null : step.slice('properties/'.length);
      visit({
        path: name === null ? `${node.path}[]` : node.path === '' ? name : `${node.path}.${name}`,
        schema,
        chain: [...node.chain, schema],
        parent: node,
        name,
        isRequired: name !== null && node.schema.required?.includes(name) === true,
      });
    }
  };
  visit({ path: '', schema: root, chain: [], parent: null, name: null, isRequired: true });
  return found;
});

/** Returns the places of the body of an operation; none if it has no body. */
export const bodyNodes = ({ body }: Pick<Endpoint, 'body'>): readonly LedgerNode[] =>
  body ? ledgerNodes(body).slice(1) : [];

/** Returns the other members of the object around a node. */
export const siblingsOf = (node: LedgerNode, { body }: Pick<Endpoint, 'body'>): readonly LedgerNode[] =>
  node.name === null
    ? []
    : bodyNodes({ body }).filter(one => one !== node && one.name !== null && one.parent === node.parent);

/** Returns the values of other fields that a field requires beside it: `['type=ratio']`. */
export const companionsOf = ({ chain }: LedgerNode): readonly string[] =>
  chain.flatMap(({ annotation }) => annotation?.beside ?? []).filter(entry => entry.includes('='));

/** True if two fields cannot share a request, because they require different values of a third. */
export const exclude = (one: LedgerNode, other: LedgerNode): boolean =>
  companionsOf(one).some(entry =>
    companionsOf(other).some(rival => rival !== entry && rival.split('=')[0] === entry.split('=')[0]),
  );
