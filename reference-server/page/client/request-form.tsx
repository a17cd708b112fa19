import { useRef, useState } from 'preact/hooks';
import { redacted, type Sent } from './curl.ts';
import { Choice, Field, Input, Status, Text } from './parts.tsx';
import { headerLines, headersOf, targetOf } from './sent-text.ts';
import { useSession } from './session.ts';
import { indented } from './text.ts';

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  readonly took: number;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A request to edit and send; what is answered stands below it. Whoever sends it is a client like any other. */
export const RequestForm = ({ sent, cut }: { sent: Sent; cut?: string | undefined }) => {
  const { catalogue, world, keyOf, keepKey, say } = useSession();
  const [method, setMethod] = useState(sent.method);
  const [path, setPath] = useState(sent.url);
  const [headers, setHeaders] = useState(() => headerLines(sent, catalogue.apiKeyHeader));
  const [body, setBody] = useState(sent.body);
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const flight = useRef<AbortController>(undefined);
  const needsKey = headers.includes(redacted);
  const apiKey = keyOf(world);
  const bodyless = /^(GET|HEAD)$/i.test(method);

  const send = async (): Promise<void> => {
    const own = new AbortController();
    flight.current = own;
    setBusy(true);
    setProblem('');
    setAnswer(undefined);
    const begun = performance.now();
    try {
      const target = targetOf(path, location.origin);
      if (needsKey && apiKey === '') throw new Error('Give the API key: the log does not keep it.');
      // What cannot be sent at all is said by this, in the words of the browser.
      const request = new Request(target, {
        method: method.toUpperCase(),
        headers: headersOf(headers, apiKey),
        ...(bodyless || body === '' ? {} : { body }),
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'manual',
        signal: own.signal,
      });
      const response = await fetch(request).catch(error => {
        throw own.signal.aborted ? error : new Error('The connection was lost before an answer.');
      });
      const text = await response.text();
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
      setAnswer({ status: response.status, headers: lines, body: text, took: Math.round(performance.now() - begun) });
      say(`The server answered ${response.status}.`);
    } catch (error) {
      setProblem(own.signal.aborted ? 'Given up.' : (error as Error).message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      class="request-form"
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="tools">
        <Choice
          label="Method"
          value={method}
          options={[...new Set([...methods, method])].map(one => [one, one] as const)}
          onChoose={setMethod}
        />
        <div class="grow">
          <Input label="Path" value={path} onType={setPath} required />
        </div>
      </div>
      <Field label="Header fields" hint={needsKey ? `${redacted} stands for the API key.` : 'One a line.'}>
        {ids => (
          <textarea
            {...ids}
            rows={Math.min(8, headers.split('\n').length + 1)}
            spellcheck={false}
            value={headers}
            onInput={event => setHeaders(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Body" {...(bodyless && body !== '' ? { hint: 'A browser sends no body with this method.' } : {})}>
        {ids => (
          <textarea
            {...ids}
            rows={Math.min(16, Math.max(3, body.split('\n').length + 1))}
            spellcheck={false}
            value={body}
            onInput={event => setBody(event.currentTarget.value)}
          />
        )}
      </Field>
      {cut !== undefined && <p class="detail">{cut}</p>}
      {needsKey && (
        <Input
          label="API key of this world"
          type="password"
          value={apiKey}
          onType={key => keepKey(world, key)}
          hint="Stays in the memory of this page."
        />
      )}
      <div class="tools">
        <button type="submit" class="first" disabled={busy}>
          Send
        </button>
        <button type="button" disabled={body === '' || indented(body) === body} onClick={() => setBody(indented(body))}>
          Indent the body
        </button>
        {busy && (
          <button type="button" onClick={() => flight.current?.abort()}>
            Give up
          </button>
        )}
      </div>
      {problem !== '' && (
        <p class="refusal" role="alert">
          {problem}
        </p>
      )}
      {answer !== undefined && (
        <section class="answer" aria-label="The answer">
          <p>
            <Status status={answer.status} /> after {answer.took} ms
          </p>
          <Text text={answer.headers} label="Header fields of the answer" />
          {answer.body !== '' && <Text text={indented(answer.body)} label="Body of what was answered" />}
        </section>
      )}
    </form>
  );
};
