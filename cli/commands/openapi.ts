import { openapiDocument } from '../../contracts/emit/openapi.ts';

/** Returns the OpenAPI 3.1 document of the API. */
export const command = (): string => `${JSON.stringify(openapiDocument(), null, 2)}\n`;
