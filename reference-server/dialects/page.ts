import { code, table } from '../../contracts/markdown.ts';
import { dialects, livingDialects } from './index.ts';

const list = (ids: readonly string[] = []): string => ids.map(code).join(', ');

/** Returns `docs/dialects.md`: all correct ways in which the reference server can differ. */
export const dialectsPage = (): string =>
  `${[
    '# Dialects',
    'Generated from `reference-server/dialects/`; `npm run generate` writes it.',
    `Where the specification is silent, services differ; and a service may be stricter in meaning than any schema can say. The reference server
speaks ${dialects.length} such dialects: \`npx conform serve --dialect ID\` (repeatable), or \`createReferenceServer({ dialects: [ID] })\`. A server that speaks one
of them is conformant, and a test holds the suite to that: no failure, and no warning beyond those named here; and nothing on the server differs afterwards but what
the run says it left behind. ${livingDialects.length} of them are of services that live: used by others meanwhile, lagging, with quotas, plans, locks and rules of their own.`,
    table(
      ['id', 'the server …', 'sections', 'warnings it draws', 'may draw', 'cannot be tested', 'may be untested'],
      dialects.map(({ id, title, section, warns, mayWarn, untested, mayBeUntested }) => [
        code(id),
        title,
        section,
        list(warns),
        list(mayWarn),
        list(untested),
        list(mayBeUntested?.checks),
      ]),
    ),
  ].join('\n\n')}\n`;
