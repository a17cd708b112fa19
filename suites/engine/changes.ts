import type { EndpointId } from '../../contracts/endpoints.ts';
import { type Answer, isDryRun } from '../protocol/answer.ts';

/** Which fields of which entity a run wrote. */
export interface Changes {
  note(answer: Answer): void;
  fieldsOf(endpoint: EndpointId, param: string | undefined): ReadonlySet<string>;
}

const watched: ReadonlySet<EndpointId> = new Set(['patch-gate', 'update-qualifying-event']);
/** Entities and fields that are written are those of the target file and of the specification: few. Whatever is more is not kept. */
const mostEntities = 500;
const mostFields = 100;

/** An account of the fields that successful writes carried, for the operations whose changes are put back. */
export function createChanges(): Changes {
  const fields = new Map<string, Set<string>>();
  const none: ReadonlySet<string> = new Set();
  return {
    note(answer) {
      const { endpoint, param } = answer.request;
      const { sent } = answer;
      if (!watched.has(endpoint) || !answer.success || !answer.own || isDryRun(answer)) return;
      if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return;
      const key = `${endpoint}\n${param}`;
      const known = fields.get(key) ?? new Set<string>();
      if (fields.size < mostEntities) fields.set(key, known);
      for (const field of Object.keys(sent)) if (known.size < mostFields) known.add(field);
    },
    fieldsOf: (endpoint, param) => fields.get(`${endpoint}\n${param}`) ?? none,
  };
}
