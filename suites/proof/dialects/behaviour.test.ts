import { describe } from 'vitest';
import { behaviourDialects } from '../../../reference-server/dialects/index.ts';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server that behaves otherwise is not accused', () => areNotAccused(behaviourDialects));
