import type { Requirement as RequirementRow } from '../../../contracts/requirements/requirement.ts';
import { type ControlApi, segment } from './control-api.ts';
import { useLoaded, useSession } from './session.ts';

type Requirement = Pick<RequirementRow, 'id' | 'section' | 'level' | 'statement'>;

const levels: Readonly<Record<Requirement['level'], string>> = {
  MUST: 'the specification states it',
  SHOULD: 'the specification suggests it',
  OPEN: 'the specification leaves it open, and servers differ',
};

/** Cached because requirements never change and many refusals cite the same one. */
const known = new Map<string, Promise<Requirement>>();

const requirementOf = (api: ControlApi, id: string): Promise<Requirement> => {
  const asked = known.get(id) ?? api.get<Requirement>(`/requirements/${segment(id)}`);
  known.set(id, asked);
  asked.catch(() => known.delete(id));
  return asked;
};

/** The text of the requirement that a refusal cites. */
export const RequirementNote = ({ id }: { id: string }) => {
  const { api } = useSession();
  const { value } = useLoaded(() => requirementOf(api, id), [api, id]);
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
