import { code, table } from '../../contracts/markdown.ts';
import { dialects } from './index.ts';

const list = (ids: readonly string[] = []): string => ids.map(code).join(', ');

/** `docs/dialects.md`: every way in which the reference server can differ and still be right. */
export const dialectsPage = (): string =>
  `${[
    '# Dialects',
    'Generated from `reference-server/dialects/`; `npm run generate` writes it.',
    `Where the specification is silent, services differ; and a service may be stricter in meaning than any schema can say. The reference server
speaks ${dialects.length} such dialects: \`npx conform serve --dialect ID\` (repeatable), or \`createReferenceServer({ dialects: [ID] })\`. A server that speaks one
of them is conformant, and a test holds the suite to that: no failure, and no warning beyond those named here, which are about a SHOULD.`,
    table(
      ['id', 'the server …', 'sections', 'warnings it draws', 'cannot be tested'],
      dialects.map(({ id, title, section, warns, untested }) => [
        code(id),
        title,
        section,
        list(warns),
        list(untested),
      ]),
    ),
  ].join('\n\n')}\n`;
