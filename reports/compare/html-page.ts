import { tool } from '../../contracts/report/tool.ts';
import { documentOf } from '../html/document.ts';
import { renderer } from '../html/render.ts';
import type { Comparison } from './compare.ts';
import { comparisonTemplates } from './html-templates.ts';
import { comparisonView } from './html-view.ts';

const render = renderer(comparisonTemplates);

/** Runs side by side as one HTML document that needs nothing beside itself, and no script. */
export function comparisonDocument(comparison: Comparison): string {
  const view = comparisonView(comparison);
  const body = render('@comparison', { ...view, tool: `${tool.name} ${tool.version}` });
  return documentOf({ title: 'Conformance runs compared', body });
}
