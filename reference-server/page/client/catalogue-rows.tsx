import { useMemo, useState } from 'preact/hooks';
import { Input } from './form-parts.tsx';
import type { CatalogueRow } from './session.ts';
import { searchFor } from './text.ts';

/** So many rows of the catalogue are shown. */
const mostRows = 40;

/** The faults or the dialects, to search and to choose one. */
export const CatalogueRows = ({
  rows,
  chosen,
  onChoose,
}: {
  rows: readonly CatalogueRow[];
  chosen: string;
  onChoose: (id: string) => void;
}) => {
  const [text, setText] = useState('');
  const found = useMemo(() => {
    const holds = searchFor(text);
    return rows.filter(({ id, title, endpoints }) => holds(() => `${id} ${title} ${endpoints.join(' ')}`));
  }, [rows, text]);
  return (
    <fieldset class="wide">
      <legend>Which</legend>
      <Input
        label="Search the catalogue"
        type="search"
        value={text}
        onType={setText}
        placeholder="id, words, operation"
      />
      <p class="detail" role="status">
        {found.length} of {rows.length}
        {found.length > mostRows && `; the first ${mostRows} are shown`}
      </p>
      <div class="catalogue">
        {found.slice(0, mostRows).map(({ id, title, fixedAtStart }) => (
          <label key={id} class={fixedAtStart ? 'choice off' : 'choice'}>
            <input
              type="radio"
              name="row"
              value={id}
              checked={id === chosen}
              disabled={Boolean(fixedAtStart)}
              onChange={() => onChoose(id)}
            />
            <span>
              <code>{id}</code> {title}
              {fixedAtStart && <span class="detail"> Only when the server starts: it {fixedAtStart}.</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
