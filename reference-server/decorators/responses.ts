import type { Members } from '../../contracts/json.ts';
import type { HandlerRequest } from '../api/request.ts';
import { type HandlerResponse, isSuccess } from '../api/response.ts';
import { type Decorator, does, namesOf, type Operator, valueText } from './layers.ts';
import { type Alteration, alter, drop, type Mutable, set } from './members.ts';
import { around, sentBy } from './operations.ts';
import { type When, where } from './validation.ts';
import type { Change } from './values.ts';

/** Decorators of successful responses. The callbacks get a copy, which they may change in place. */

/** Changes a successful response. */
export const onSuccess = (
  change: (response: HandlerResponse & { body: Mutable }, request: HandlerRequest) => HandlerResponse,
): Decorator =>
  around(async (work, request) => {
    const response = await work();
    if (!isSuccess(response)) return response;
    return change({ ...response, body: structuredClone(response.body) as Mutable }, request);
  });

/** Gives successful responses another status, with or without their body. */
export const successStatus = (status: number, keepBody = true): Operator =>
  does(
    `Success is answered with ${status}${keepBody ? '' : ' and no body'}.`,
    onSuccess(response => ({ ...response, status, body: keepBody ? response.body : undefined })),
  );

/** Changes the body of a successful response in place, or replaces it. */
export const onBody = (change: (body: Mutable, request: HandlerRequest) => unknown): Decorator =>
  onSuccess((response, request) => ({ ...response, body: change(response.body, request) ?? response.body }));

/** Changes the entity that a successful response shows, or every item of a list, in place or by replacing it. */
export const onEntity = (change: (entity: Mutable, request: HandlerRequest, index: number) => unknown): Decorator =>
  onBody((body, request) => {
    const changed = (entity: unknown, index: number): unknown => change(entity as Mutable, request, index) ?? entity;
    return { ...body, data: Array.isArray(body.data) ? body.data.map(changed) : changed(body.data, 0) };
  });

/** Alters every entity that is shown. */
export const shows = (alteration: Alteration): Decorator => onEntity(entity => alteration(entity));

/** Alters the items of a list from the third on, so that a check of the first item misses it. */
export const showsLater = (alteration: Alteration): Decorator =>
  onEntity((entity, _request, index) => {
    if (index >= 2) alteration(entity);
  });

/** Changes the shown value at a path; absent members stay absent. */
export const shown = (path: string, change: Change): Operator =>
  does(`\`${path}\` is shown ${change.does ?? 'with another value'}.`, shows(alter(path, change)));

/** Shows this value at a path, whether the member exists or not. */
export const shownAs = (path: string, value: unknown): Operator =>
  does(`\`${path}\` is shown as ${valueText(value)}.`, shows(set(path, value)));

/** Leaves out the member at a path. */
export const hidden = (path: string): Operator => does(`\`${path}\` is left out.`, shows(drop(path)));

/** Leaves out the members at some paths if `when` holds for their values. */
export const hiddenWhere = (when: When, ...paths: readonly string[]): Operator =>
  does(
    `${namesOf(paths)} ${paths.length > 1 ? 'are each' : 'is'} left out ${where(when)}.`,
    onEntity(entity => {
      for (const path of paths) drop(path, when)(entity);
    }),
  );

/** Adds the members that a function returns to a shown entity. */
export const shownWith = (
  members: (entity: Mutable, sent: Members, index: number) => Members | undefined | false,
): Decorator =>
  onEntity((entity, request, index) => {
    Object.assign(entity, members(entity, sentBy(request), index));
  });
