import type { EndpointId } from '../../contracts/endpoint.ts';
import type { Hooks } from './hooks.ts';

/** Hooks of which those of single operations may be meant for some operations only. */
export interface Layer extends Hooks {
  /** The operations whose handling and validation it takes part in; all when absent. Key check, store and raw HTTP have no operation. */
  readonly endpoints?: readonly EndpointId[];
}

const binds = ({ endpoints }: Layer, id: EndpointId): boolean => endpoints === undefined || endpoints.includes(id);

/** Several layers of hooks as one: each is given what those before it made, so that the last one stands outermost. */
export const combinedHooks = (layers: readonly Layer[]): Required<Hooks> => {
  const each = <T>(part: T, wrap: (layer: Layer, inner: T) => T | undefined): T =>
    layers.reduce((inner, layer) => wrap(layer, inner) ?? inner, part);
  return {
    decorate: (id, handler) =>
      each(handler, (layer, inner) => (binds(layer, id) ? layer.decorate?.(id, inner) : undefined)),
    decorateOperation: (id, handler) =>
      each(handler, (layer, inner) => (binds(layer, id) ? layer.decorateOperation?.(id, inner) : undefined)),
    decorateAuthorise: authorise => each(authorise, (layer, inner) => layer.decorateAuthorise?.(inner)),
    decorateValidate: (id, validate) =>
      each(validate, (layer, inner) => (binds(layer, id) ? layer.decorateValidate?.(id, inner) : undefined)),
    decorateStore: store => each(store, (layer, inner) => layer.decorateStore?.(inner)),
    decorateListener: listener => each(listener, (layer, inner) => layer.decorateListener?.(inner)),
  };
};
