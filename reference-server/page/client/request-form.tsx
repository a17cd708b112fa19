import { useRef, useState } from 'preact/hooks';
import { redacted, type Sent } from './curl.ts';
import { Choice, Form, Input, Lines } from './form-parts.tsx';
import { Button, Refused, Status, Text } from './parts.tsx';
import { headerLines, headersOf, targetOf } from './sent-text.ts';
import { useAction, useSession } from './session.ts';
import { indented } from './text.ts';

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  readonly took: number;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A form to edit and send a request, with the answer below. The page sends it like any other client. */
export const RequestForm = ({ sent, cut }: { sent: Sent; cut?: string | undefined }) => {
  const { catalogue, world, keyOf, keepKey, say } = useSession();
  const [method, setMethod] = useState(sent.method);
  const [path, setPath] = useState(sent.url);
  const [headers, setHeaders] = useState(() => headerLines(sent, catalogue.apiKeyHeader));
  const [body, setBody] = useState(sent.body);
  const [answer, setAnswer] = useState<Answer>();
  const { run, busy, refusal } = useAction();
  const flight = useRef<AbortController>(undefined);
  const needsKey = headers.includes(redacted);
  const apiKey = keyOf(world);
  const bodyless = /^(GET|HEAD)$/i.test(method);

  const send = () => {
    const own = new AbortController();
    flight.current = own;
    setAnswer(undefined);
    const begun = performance.now();
    return run(async () => {
      const target = targetOf(path, location.origin);
      if (needsKey && apiKey === '') throw new Error('Give the API key: the log does not keep it.');
      // The constructor throws the browser's own message for a request that cannot be sent.
      const request = new Request(target, {
        method: method.toUpperCase(),
        headers: headersOf(headers, apiKey),
        ...(bodyless || body === '' ? {} : { body }),
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'manual',
        signal: own.signal,
      });
      const lost = (why: string) => () => {
        throw new Error(own.signal.aborted ? 'Given up.' : why);
      };
      const response = await fetch(request).catch(lost('The connection was lost before an answer.'));
      const text = await response.text().catch(lost('The answer of the server broke off.'));
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
      setAnswer({ status: response.status, headers: lines, body: text, took: Math.round(performance.now() - begun) });
      say(`The server answered ${response.status}.`);
    });
  };

  return (
    <Form look="request-form" onSend={send}>
      <div class="tools">
        <Choice label="Method" value={method} options={[...new Set([...methods, method])]} onChoose={setMethod} />
        <div class="grow">
          <Input label="Path" value={path} onType={setPath} required />
        </div>
      </div>
      <Lines
        label="Header fields"
        hint={needsKey ? `${redacted} stands for the API key.` : 'One a line.'}
        rows={Math.min(8, headers.split('\n').length + 1)}
        value={headers}
        onType={setHeaders}
      />
      <Lines
        label="Body"
        hint={bodyless && body !== '' ? 'A browser sends no body with this method.' : undefined}
        rows={Math.min(16, Math.max(3, body.split('\n').length + 1))}
        value={body}
        onType={setBody}
      />
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
        <Button type="submit" class="first" disabled={busy}>
          Send
        </Button>
        <Button disabled={body === '' || indented(body) === body} onClick={() => setBody(indented(body))}>
          Indent the body
        </Button>
        {busy && <Button onClick={() => flight.current?.abort()}>Give up</Button>}
      </div>
      <Refused refusal={refusal} />
      {answer !== undefined && (
        <section class="answer" aria-label="The answer">
          <p>
            <Status status={answer.status} /> after {answer.took} ms
          </p>
          <Text text={answer.headers} label="Header fields of the answer" />
          {answer.body !== '' && <Text text={indented(answer.body)} label="Body of what was answered" />}
        </section>
      )}
    </Form>
  );
};
