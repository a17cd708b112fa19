import { useLoaded, useSession } from './session.ts';

interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly level: 'MUST' | 'SHOULD' | 'OPEN';
  readonly statement: string;
}

const levels: Readonly<Record<Requirement['level'], string>> = {
  MUST: 'the specification states it',
  SHOULD: 'the specification suggests it',
  OPEN: 'the specification leaves it open, and servers differ',
};

/** What a requirement says on which a refusal rests. */
export const RequirementNote = ({ id }: { id: string }) => {
  const { api } = useSession();
  const { value } = useLoaded(() => api.get<Requirement>(`/requirements/${encodeURIComponent(id)}`), [api, id]);
  return (
    <span class="requirement">
      {value !== undefined && (
        <span class="statement">
          {value.statement
            .split('`')
            .map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}{' '}
        </span>
      )}
      <code>{id}</code>
      {value !== undefined && ` section ${value.section}: ${levels[value.level]}`}
    </span>
  );
};
