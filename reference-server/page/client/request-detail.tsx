import type { ComponentChildren } from 'preact';
import { curlCommand } from './curl.ts';
import { Copy, Status, Text, Wrong } from './parts.tsx';
import { RequestForm } from './request-form.tsx';
import { clientOf, cutOf, type Entry, keptCharacters, metText, tookText } from './request-list.ts';
import { RequirementNote } from './requirement-note.tsx';
import { useSession } from './session.ts';
import { dayAndTime, fragmentOf, indented, shortened } from './text.ts';

/** A definition list; undefined values are omitted. */
const Pairs = ({ look, of }: { look: 'headers' | 'pairs'; of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class={look}>
    {Object.entries(of).map(
      ([name, value]) =>
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={look === 'headers' ? 'data' : undefined}>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

const WhyRefused = ({ refused }: { refused: NonNullable<Entry['refused']> }) => (
  <section class="card cause-warn" aria-labelledby="why-title">
    <h3 id="why-title">Why it was refused</h3>
    <p>{refused.message}</p>
    {refused.errors.length > 0 && (
      <ul class="reasons">
        {refused.errors.map(({ property, errorMessage, requirement }, index) => (
          <li key={index}>
            <Wrong at={property} what={errorMessage} />
            {requirement !== null && <RequirementNote id={requirement} />}
          </li>
        ))}
      </ul>
    )}
    {refused.errors.length === 0 && refused.requirements.map(id => <RequirementNote key={id} id={id} />)}
  </section>
);

/** A request in full: its answer, the reason for it, and how to repeat it. */
export const RequestDetail = ({ entry }: { entry: Entry }) => {
  const { catalogue } = useSession();
  const { method, url, status, time, took, endpoint, refused, behaviours, headers, body, answer } = entry;
  const command = curlCommand(entry, location.origin, catalogue.apiKeyHeader);
  const cut = cutOf(entry);
  const who = [entry.keyName ?? '', clientOf(entry)].filter(part => part !== '').join(' · ');
  const title = catalogue.endpoints.find(one => one.id === endpoint)?.title;
  return (
    <>
      <h2 class="asked">
        <Status status={status} /> <span>{method}</span> <span class="data">{shortened(url, 400)}</span>
      </h2>
      <Pairs
        look="pairs"
        of={{
          Operation: endpoint === null ? 'none of the API' : title === undefined ? endpoint : `${title} (${endpoint})`,
          When: `${dayAndTime(time)} UTC, took ${tookText(took)}`,
          Who: who === '' ? undefined : who,
          Met: behaviours.length === 0 ? undefined : <a href={fragmentOf('behaviours')}>{metText(entry)}</a>,
        }}
      />
      {refused !== null && <WhyRefused refused={refused} />}
      {status === null && <p class="card cause-fail">The connection was lost before an answer.</p>}
      <h3>Request</h3>
      <Pairs look="headers" of={headers} />
      {cut !== undefined && <p class="detail">{cut}</p>}
      {body !== '' && <Text text={indented(body)} label="Body of the request" />}
      {status !== null && (
        <>
          <h3>Answer</h3>
          <Pairs look="headers" of={entry.answerHeaders} />
          {answer !== '' && <Text text={indented(answer)} label="Body of the answer" />}
          {answer.length >= keptCharacters && <p class="detail">The log keeps the beginning of longer answers.</p>}
        </>
      )}
      <h3 class="with-button">
        As a command <Copy text={command} what="the command" />
      </h3>
      <Text text={command} label="The request as a command" />
      <details class="again">
        <summary>Send it again, or edit it first</summary>
        <RequestForm sent={entry} cut={cut} />
      </details>
    </>
  );
};
