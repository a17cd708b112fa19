/**
 * The reference server of the Console Management API, as a double in tests, with its faults and dialects.
 */

export type { BehaviourRequest } from '../contracts/behaviour.ts';
export { type ApiKey, type Authorise, keyRoles } from './api/authorise.ts';
export type { Hooks, Validate } from './api/hooks.ts';
export type { Handler, HandlerRequest, Settings } from './api/request.ts';
export type { ErrorBody, FieldError, HandlerResponse } from './api/response.ts';
export { Refused, refusal } from './api/response.ts';
export type { Behaviour } from './behaviours/schema.ts';
export { stepOf, stepWords } from './behaviours/step-text.ts';
export type { Control, ResetPart } from './control/control.ts';
export { controlKeyHeader, isLoopback } from './control/guard.ts';
export type { Sandbox } from './control/sandbox.ts';
export type { Dialect } from './dialects/dialect.ts';
export { dialectNamed, dialects } from './dialects/index.ts';
export { defaultApiKey, type ReferenceServer } from './emulator.ts';
export type { Fault } from './faults/fault.ts';
export { type FaultKind, faultKinds, faultNamed, faults } from './faults/index.ts';
export { fixtures } from './fixtures/index.ts';
export type { Tls } from './http/http-server.ts';
export type { LoggedRequest, RequestLog } from './log/request-log.ts';
export { InvalidSeed, type SeedProblem, seedOf } from './seed/seed.ts';
export { createReferenceServer, type ReferenceServerOptions } from './server.ts';
export { isAddress, shownAddress } from './store/address.ts';
export type { Backend, Notes, World } from './store/backend.ts';
export { backendFor } from './store/backends.ts';
export type { Reader, Snapshot, Store, Transaction } from './store/store.ts';
export { StoreError } from './store/store-error.ts';
export { referenceTarget } from './target.ts';
export { ControlError, type ControlProblem } from './tool/refusal.ts';
export { prefixFault } from './worlds/keys.ts';
export type { SandboxOptions } from './worlds/worlds.ts';
