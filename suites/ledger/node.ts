import type { Schema } from '../../contracts/dialect.ts';
import type { Endpoint } from '../../contracts/endpoint.ts';
import { memoized } from '../../contracts/memoized.ts';
import { childrenOf } from '../../contracts/walk.ts';

/** A place of a request body, or of `data`, that the contract documents. */
export interface LedgerNode {
  /** Dotted from the root, `[]` for the items of a list: `groups[].name`. The empty text is the body itself. */
  readonly path: string;
  readonly schema: Schema;
  /** The schemas from the field of the body down to this one, itself the last. */
  readonly chain: readonly Schema[];
  /** What holds it: an object, or a list of which it is the item. */
  readonly parent: LedgerNode | null;
  /** Its name in an object; null of the item of a list. */
  readonly name: string | null;
  readonly isRequired: boolean;
}

/** The documented places of a schema, the root first. Of a union its branches are no places of their own. */
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

/** The places of the body of an operation; none where it has none. */
export const bodyNodes = ({ body }: Pick<Endpoint, 'body'>): readonly LedgerNode[] =>
  body === null ? [] : ledgerNodes(body).slice(1);

/** The other members of the object that has a node. */
export const siblingsOf = (node: LedgerNode, { body }: Pick<Endpoint, 'body'>): readonly LedgerNode[] =>
  node.name === null
    ? []
    : bodyNodes({ body }).filter(one => one !== node && one.name !== null && one.parent === node.parent);

/** Of what one field demands beside it, the values of others: `['type=ratio']`. */
export const companionsOf = ({ chain }: LedgerNode): readonly string[] =>
  chain.flatMap(({ annotation }) => annotation?.beside ?? []).filter(entry => entry.includes('='));

/** True of two fields that no request can carry together: they demand different values of a third. */
export const exclude = (one: LedgerNode, other: LedgerNode): boolean =>
  companionsOf(one).some(entry =>
    companionsOf(other).some(rival => rival !== entry && rival.split('=')[0] === entry.split('=')[0]),
  );
