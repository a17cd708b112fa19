import { describe } from 'vitest';
import { livingWorldDialects } from '../../../reference-server/dialects/index.ts';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server that others use too is not accused', () => areNotAccused(livingWorldDialects));
