import type { HandlerRequest } from '../api/request.ts';
import { type HandlerResponse, isSuccess } from '../api/response.ts';
import type { Decorator } from './layers.ts';
import type { Alteration, Mutable } from './members.ts';
import { around } from './operations.ts';

/** Decorators of successful responses. What they are given is a copy that may be changed in place. */

/** Changes a success. */
export const onSuccess = (
  change: (response: HandlerResponse & { body: Mutable }, request: HandlerRequest) => HandlerResponse,
): Decorator =>
  around(handler => async (request, store, settings) => {
    const response = await handler(request, store, settings);
    if (!isSuccess(response)) return response;
    return change({ ...response, body: structuredClone(response.body) as Mutable }, request);
  });

/** Gives successes another status, with or without their body. */
export const successStatus = (status: number, keepBody = true): Decorator =>
  onSuccess(response => ({ ...response, status, body: keepBody ? response.body : undefined }));

/** Changes the body of a success in place, or gives another value in its place. */
export const onBody = (change: (body: Mutable, request: HandlerRequest) => unknown): Decorator =>
  onSuccess((response, request) => ({ ...response, body: change(response.body, request) ?? response.body }));

/** Changes the entity that a success shows, or every item of a list, in place or by giving another one in its place. */
export const onEntity = (change: (entity: Mutable, request: HandlerRequest, index: number) => unknown): Decorator =>
  onBody((body, request) => {
    const changed = (entity: unknown, index: number): unknown => change(entity as Mutable, request, index) ?? entity;
    return { ...body, data: Array.isArray(body.data) ? body.data.map(changed) : changed(body.data, 0) };
  });

/** Makes one alteration to every entity that is shown. */
export const shows = (alteration: Alteration): Decorator => onEntity(entity => alteration(entity));

/** Makes it from the third item of a list on: a check of the first item alone never sees it. */
export const showsLater = (alteration: Alteration): Decorator =>
  onEntity((entity, _request, index) => {
    if (index >= 2) alteration(entity);
  });
