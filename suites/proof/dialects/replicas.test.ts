import { describe } from 'vitest';
import { dialects } from '../../../reference-server/dialects/index.ts';
import { areNotAccusedWhereBehind } from './spoken.fixture.ts';

describe('a server that shows what it was is not accused', () => areNotAccusedWhereBehind(dialects));
