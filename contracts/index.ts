/**
 * The package's exports from the contracts: the API (endpoints, schemas, requirements), the formats of reports and
 * target files, and their validators.
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
export { type Seed, type SeedCollection, seedSchema } from './seed.ts';
export { type Naming, specificationNaming, type TargetFile, targetFileSchema } from './target.ts';
export { validatorFor } from './validation.ts';
