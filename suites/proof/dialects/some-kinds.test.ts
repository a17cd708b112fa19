import { describe } from 'vitest';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server that is another in some of its collections is not accused', () => areNotAccused('some-kinds'));
