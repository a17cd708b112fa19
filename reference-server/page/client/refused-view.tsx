import { useMemo } from 'preact/hooks';
import { Status, View, Wrong } from './parts.tsx';
import { refusedGroups } from './refused-groups.ts';
import { RequirementNote } from './requirement-note.tsx';
import { useSession } from './session.ts';
import { counted, dayAndTime, fragmentOf } from './text.ts';

/** The mistakes of clients: the refused requests, grouped by reason. */
export const RefusedView = () => {
  const { entries, behaviours } = useSession();
  const { groups, simulated } = useMemo(() => refusedGroups(entries, behaviours), [entries, behaviours]);
  return (
    <View title="What clients got wrong">
      <p class="detail">
        {groups.length === 0 ? 'Nothing' : counted(groups.length, 'reason')} in the last{' '}
        {counted(entries.length, 'request')}.
        {simulated > 0 && ` ${counted(simulated, 'refusal')} met a behaviour, and may be its work: left out.`}
      </p>
      {groups.map(({ key, operation, status, property, message, requirement, count, clients, last }) => (
        <article class="card cause-warn" key={key}>
          <h3 class="asked">
            <Status status={status} /> <span>{operation}</span>
            <span class="times">{counted(count, 'request')}</span>
          </h3>
          <p>
            <Wrong at={property} what={message} />
          </p>
          {requirement !== undefined && <RequirementNote id={requirement} />}
          <p class="detail">
            Last at {dayAndTime(last.time)} UTC{clients.length > 0 && `, by ${clients.join('; ')}`}.{' '}
            <a href={fragmentOf('requests', last.key)}>
              See the last<span class="unseen"> of {operation}</span>
            </a>
          </p>
        </article>
      ))}
    </View>
  );
};
