/**
 * The door of the contracts: what the API is (endpoints, schemas, requirements), what a report and a target file are, and how to validate by them.
 */
export type { Schema } from './dialect.ts';
export { openapiDocument } from './emit/openapi.ts';
export type { Endpoint } from './endpoint.ts';
export { type BodyOf, type EndpointId, endpointIds, endpoints } from './endpoints.ts';
export type { Infer } from './infer.ts';
export { type RunEvent, runEvent } from './report/journal.ts';
export { type Report, reportSchema } from './report/report.ts';
export { tool } from './report/tool.ts';
export { type Requirement, type RequirementId, requirementById, requirements } from './requirements/index.ts';
export { type Naming, specificationNaming, type TargetFile, targetFileSchema } from './target.ts';
export { validatorFor } from './validation.ts';
